/** Checks that each function of the Linux driver has its counterpart, which a test that passed has shown. */
@NullMarked
package io.srpt.functions;

import org.jspecify.annotations.NullMarked;
