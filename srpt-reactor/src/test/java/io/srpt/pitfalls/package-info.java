/** Checks that each pitfall of {@code srpt-core/PITFALLS.md} is shown by a test that passed, or says why not. */
@NullMarked
package io.srpt.pitfalls;

import org.jspecify.annotations.NullMarked;
