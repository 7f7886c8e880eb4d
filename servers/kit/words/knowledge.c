/* knowledge.c - what the embedded provider knows about English and about documentation.
 *
 * Two lists: words that stand in every text, which count less, and words that mean nearly the same, which count a little as
 * each other. They are written as people write them and take the form that searching uses when the lists are read.
 */
#include "kit/words/knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "kit/words/words.h"

/* Stop words are not here: words_each() leaves them out. */
static const char *const common_words =
    "use used using usage make making made give given get getting take taken need needed want work working "
    "way many much "
    "new first second two three one time year day week people person thing part case kind type sort number "
    "amount example "
    "problem question answer result effect important possible general generally particular special various "
    "certain "
    "different similar same available present provide provided describe described description discuss "
    "discussed consider "
    "considered concern involve include including included contain related relation respect regard based "
    "basis form "
    "follow following show shown see look find found know known think say said help try seem become come go "
    "keep let put "
    "set run call called ask tell good better best well great large small high low long short full whole "
    "actual actually "
    "real really simple easy easily hard difficult like even still yet now often usual usually sometimes "
    "always never "
    "however therefore thus hence since although though per via etc method approach mean means point purpose "
    "aim goal "
    "order place world today recent recently current currently future past among toward area field aspect "
    "issue fact idea "
    "term name list section chapter page document documents article paper author study report text note "
    "information data "
    "system process service product develop developed development change changed increase reduce improve "
    "require required "
    "allow allows support supported create created add added file user value default option mode please must "
    "able main "
    "instead another every several few less least rather quite simply exactly whether within available "
    "details step steps "
    "above below next previous last end begin start common important must enough already back both own sure";

/* One concept a line. */
static const char *const concepts[] = {
    "delete remove erase purge discard uninstall",
    "error failure fault exception crash bug defect",
    "configure configuration config settings preferences setup",
    "install installation deploy deployment rollout",
    "login signin authenticate authentication logon",
    "permission permissions authorization authorize privilege access",
    "password secret credential credentials passphrase",
    "token key apikey",
    "fast quick speed performance latency throughput",
    "slow sluggish lag delay",
    "memory ram heap",
    "storage disk volume",
    "database db sql sqlite postgres postgresql mysql",
    "table relation schema",
    "query search lookup retrieve retrieval",
    "index indexing catalogue catalog",
    "server host backend daemon",
    "client frontend consumer",
    "network networking connection socket",
    "request call invoke invocation",
    "response reply answer",
    "function procedure routine subroutine",
    "class object instance",
    "parameter argument input",
    "output result return",
    "variable field attribute property",
    "test testing verification verify validate validation",
    "log logging trace audit",
    "monitor monitoring observe observability metrics telemetry",
    "alert alarm notification notify",
    "backup snapshot archive",
    "restore recover recovery",
    "update upgrade modify edit amend",
    "rename move relocate",
    "copy duplicate clone replicate",
    "merge combine join unify",
    "split divide partition shard",
    "stop halt terminate kill abort shutdown",
    "launch boot startup begin initialise initialize",
    "restart reboot reload",
    "wait block hang freeze stall deadlock",
    "retry repeat again",
    "timeout deadline expiry expire expiration",
    "limit quota bound maximum cap",
    "cache caching memoize buffer",
    "thread threads concurrency concurrent parallel parallelism",
    "lock mutex semaphore",
    "event message signal",
    "queue stream broker",
    "pagination paginate paging paged page",
    "encrypt encryption cipher cryptography tls ssl",
    "security secure hardening vulnerability",
    "certificate cert x509",
    "version release revision",
    "branch fork",
    "commit changeset patch",
    "repository repo",
    "dependency dependencies library package module",
    "build compile compilation compiler",
    "directory folder",
    "path location url link address",
    "document manual guide tutorial handbook documentation",
    "instruction instructions directions howto",
    "picture image photo figure diagram",
    "colour color",
    "size length width height dimension",
    "convert conversion transform translate translation",
    "parse parser parsing",
    "format layout style",
    "container docker image kubernetes pod",
    "cloud aws azure gcp",
    "environment env",
    "customer client buyer",
    "employee staff worker personnel",
    "company organisation organization firm enterprise",
    "price cost fee charge",
    "payment pay billing invoice",
    "purchase buy order",
    "car automobile vehicle",
    "doctor physician",
    "illness disease sickness",
    "school education teaching training",
    "student pupil learner",
    "evaluate evaluation assessment assess measure",
    "law legal legislation",
    "policy rule regulation",
    "plan planning roadmap schedule",
    "team group crew",
    "meeting conference workshop",
    "warn warning caution",
    "forbid deny reject refuse",
    "permit grant approve",
    "broken corrupt corrupted damaged",
    "fix repair solve resolve solution workaround remedy",
    "cause reason why",
    "begin start commence",
    "choose select pick choice",
    "compare comparison versus",
    "count tally quantity",
    "empty blank null missing absent",
    "old legacy obsolete deprecated outdated",
    "hidden invisible secret",
    "random arbitrary stochastic",
    "accurate accuracy precision precise exact",
    "reliable reliability availability resilient resilience robust",
    "scale scaling scalability",
    "migrate migration port",
    "subscribe subscription",
    "email mail",
    "website site webpage web",
    "browser chrome firefox safari",
    "phone telephone mobile",
    "keyboard shortcut hotkey",
    "command cli shell terminal console",
};

#define CONCEPT_WORDS_MAX 12
#define SLOTS             4096 /* a power of two, well above the words of both lists */

struct slot {
    uint64_t            hash; /* 0: free */
    struct lexicon_word word;
};

struct lexicon {
    struct slot slots[SLOTS];
};

uint64_t word_mix(uint64_t hash)
{
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    hash = (hash ^ hash >> 29) * UINT64_C(0xa0761d6478bd642f);
    return hash ^ hash >> 32;
}

uint64_t word_hash(uint64_t seed, const char *at, size_t len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)at[i]) * UINT64_C(0x100000001b3);
    return word_mix(hash);
}

static size_t slot_of(const struct lexicon *lexicon, uint64_t hash)
{
    size_t i = (size_t)hash & (SLOTS - 1);

    while (lexicon->slots[i].hash && lexicon->slots[i].hash != hash)
        i = (i + 1) & (SLOTS - 1);
    return i;
}

struct reading {
    struct lexicon     *lexicon;
    struct lexicon_word word; /* what is said of all of them */
};

/* The first thing that is said about a word stays: a word has one concept. */
static bool learn(void *user, const char *at, size_t len)
{
    struct reading *reading = user;
    uint64_t        hash    = word_hash(0, at, len);
    struct slot    *slot    = &reading->lexicon->slots[slot_of(reading->lexicon, hash)];

    slot->hash        = hash;
    slot->word.common = slot->word.common || reading->word.common;
    if (!slot->word.concept)
        slot->word.concept = reading->word.concept;
    return true;
}

struct lexicon *lexicon_new(void)
{
    struct lexicon *lexicon = calloc(1, sizeof *lexicon);
    struct reading  reading = { lexicon, { .common = true } };

    if (!lexicon)
        return NULL;
    words_each(common_words, strlen(common_words), learn, &reading);
    for (size_t i = 0; i < sizeof concepts / sizeof *concepts; i++) {
        reading.word = (struct lexicon_word){ .concept = (uint16_t)(i + 1) };
        words_each(concepts[i], strlen(concepts[i]), learn, &reading);
    }
    return lexicon;
}

void lexicon_free(struct lexicon *lexicon)
{
    free(lexicon);
}

struct lexicon_word lexicon_find(const struct lexicon *lexicon, uint64_t hash)
{
    return lexicon->slots[slot_of(lexicon, hash)].word;
}

struct concept {
    char        letters[CONCEPT_WORDS_MAX][WORD_LEN_MAX + 1];
    const char *at[CONCEPT_WORDS_MAX];
    size_t      count;
};

static bool collect_word(void *user, const char *word, size_t len)
{
    struct concept *concept = user;

    if (concept->count == CONCEPT_WORDS_MAX)
        return false;
    memcpy(concept->letters[concept->count], word, len + 1);
    concept->at[concept->count] = concept->letters[concept->count];
    concept->count++;
    return true;
}

void concepts_each(bool (*visit)(void *user, const char *const *words, size_t count), void *user)
{
    struct concept concept;

    for (size_t i = 0; i < sizeof concepts / sizeof *concepts; i++) {
        concept.count = 0;
        words_each(concepts[i], strlen(concepts[i]), collect_word, &concept);
        if (!visit(user, concept.at, concept.count))
            return;
    }
}
