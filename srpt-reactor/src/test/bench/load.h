/* What the load generators share: time, random places, latencies, and their report. */
#ifndef LOAD_H
#define LOAD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Latencies are counted by tenths of a microsecond, up to 40 ms. */
#define BUCKET_NS 100
#define BUCKETS 400000

static uint32_t latencies[BUCKETS];
static uint64_t done, errors;
static uint64_t random_state = 0x9E3779B97F4A7C15u;

static inline uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint64_t random_below(uint64_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % bound;
}

/* One exchange ended that took so long. */
static inline void count_done(uint64_t nanoseconds)
{
    uint64_t bucket = nanoseconds / BUCKET_NS;
    latencies[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
    done++;
}

static inline double percentile(double part)
{
    uint64_t wanted = (uint64_t)((double)done * part), seen = 0;
    int bucket;
    for (bucket = 0; bucket < BUCKETS - 1 && (seen += latencies[bucket]) <= wanted; bucket++) {
    }
    return bucket * BUCKET_NS / 1000.0;
}

/* The harness looks at the target's CPU time at these lines. */
static inline void tell(const char *phase)
{
    fprintf(stderr, "%s\n", phase);
    fflush(stderr);
}

static inline void report(double seconds)
{
    printf("{\"ios\": %lu, \"seconds\": %.4f, \"p50\": %.1f, \"p99\": %.1f, \"errors\": %lu}\n", (unsigned long)done, seconds,
           percentile(0.5), percentile(0.99), (unsigned long)errors);
}

#endif
