/**
 * Starts the command line, or says in one line which Java it needs. Compiled for Java 8, so that an old Java reaches
 * that line instead of failing with an unsupported class version.
 *
 * <pre>
 *   java -jar srpt.jar ... --&gt; Main --(Java 25 or newer)--&gt; io.srpt.service.SrptCommand
 *                               '----(older)--------------&gt; one line on standard error, exit code 2
 * </pre>
 */
@NullMarked
package io.srpt.launcher;

import org.jspecify.annotations.NullMarked;
