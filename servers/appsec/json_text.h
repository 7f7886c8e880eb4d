/* json_text.h - JSON as it is written, without escapes, as a string of C. A piece stays below what every compiler takes; pieces
 * follow each other. */
#ifndef APPSEC_JSON_TEXT_H
#define APPSEC_JSON_TEXT_H

#define JSON_TEXT(...) #__VA_ARGS__

#endif
