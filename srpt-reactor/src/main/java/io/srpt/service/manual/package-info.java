/**
 * Says on paper what the command line says of itself: man pages, and the completion of a shell.
 *
 * <pre>
 *   picocli's model of the commands ─┬─▶ ManualPage ─▶ srpt.8, srpt-serve.8, ...
 *                                    └─▶ picocli's AutoComplete ─▶ completions/srpt
 * </pre>
 */
@NullMarked
package io.srpt.service.manual;

import org.jspecify.annotations.NullMarked;
