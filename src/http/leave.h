/* leave.h - sessions that are ended beside everything else: a server that does not answer holds no caller up. */
#ifndef HTTP_LEAVE_H
#define HTTP_LEAVE_H

#include <curl/curl.h>

#define LEAVES_MAX ((size_t)16) /* at a time; of more than these the servers hear nothing */

/* Performs the request, which must have a time of its own, and frees both. */
void http_leave(CURL *easy, struct curl_slist *headers);

#endif
