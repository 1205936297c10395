/**
 * Says on paper what the command line and the configuration say of themselves: man pages, and the completion of a shell.
 *
 * <pre>
 *   picocli's model of the commands ─┬─▶ ManualPage ─▶ srpt.8, srpt-serve.8, ...
 *                                    └─▶ picocli's AutoComplete ─▶ completions/srpt
 *   JSON schema of the configuration ──▶ ConfigurationPage ─▶ srpt.yaml.5
 * </pre>
 */
@NullMarked
package io.srpt.service.manual;

import org.jspecify.annotations.NullMarked;
