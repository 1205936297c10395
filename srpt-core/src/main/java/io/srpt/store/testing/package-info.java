/**
 * For the tests of people who write a {@link io.srpt.store.BlockStore}: what the target expects of it, as checks that any
 * test framework can run.
 *
 * <pre>
 *  your test ──▶ StoreContract.checks() ──read, write, unmap, flush, grow, close──▶ your BlockStore
 * </pre>
 */
@NullMarked
package io.srpt.store.testing;

import org.jspecify.annotations.NullMarked;
