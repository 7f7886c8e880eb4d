/* sqlite_words.c - see sqlite_words.h. A database in memory has the tokenizers; nothing is kept in it. */
#include "kit/sqlite_words.h"

#include <limits.h>

#include <sqlite3.h>

struct words {
    sqlite3       *database;
    fts5_api      *api;
    fts5_tokenizer kind;
    Fts5Tokenizer *tokenizer;
    sqlite_word_fn each;
    void          *user;
};

static bool find_api(struct words *words)
{
    sqlite3_stmt *row = NULL;

    if (sqlite3_open_v2(":memory:", &words->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
            SQLITE_OK ||
        sqlite3_prepare_v2(words->database, "SELECT fts5(?1)", -1, &row, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_pointer(row, 1, &words->api, "fts5_api_ptr", NULL);
    sqlite3_step(row);
    return sqlite3_finalize(row) == SQLITE_OK && words->api;
}

static bool begin(struct words *words, bool stems)
{
    const char *below = "unicode61"; /* what the stemmer gets its words from */
    void       *kind;

    return find_api(words) &&
           words->api->xFindTokenizer(words->api, stems ? "porter" : below, &kind, &words->kind) ==
               SQLITE_OK &&
           words->kind.xCreate(kind, &below, stems ? 1 : 0, &words->tokenizer) == SQLITE_OK;
}

static void end(struct words *words)
{
    if (words->tokenizer)
        words->kind.xDelete(words->tokenizer);
    sqlite3_close(words->database);
}

static int take(void *user, int flags, const char *word, int len, int from, int to)
{
    struct words *words = user;

    (void)flags;
    return words->each(words->user, word, (size_t)len, (size_t)from, (size_t)to) ? SQLITE_OK : SQLITE_ABORT;
}

bool sqlite_words(const char *text, size_t len, bool stems, sqlite_word_fn each, void *user)
{
    struct words words = { .each = each, .user = user };
    bool         good  = len <= INT_MAX && begin(&words, stems) &&
                words.kind.xTokenize(words.tokenizer, &words, FTS5_TOKENIZE_DOCUMENT, text, (int)len, take) ==
                    SQLITE_OK;

    end(&words);
    return good;
}
