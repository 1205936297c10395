/**
 * Programs that use srpt, as the README shows them: the lines between {@code // README} and {@code // end} of each are there
 * word for word. Each serves on the address that it is called with, 127.0.0.1 without one, until its standard input ends.
 */
@NullMarked
package io.srpt.examples;

import org.jspecify.annotations.NullMarked;
