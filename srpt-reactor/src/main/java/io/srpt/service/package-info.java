/**
 * The service around the target: its command line, configuration and life cycle.
 *
 * <pre>
 *   io.srpt.launcher.Main --&gt; SrptCommand --&gt; subcommands --&gt; srpt-core
 * </pre>
 */
@NullMarked
package io.srpt.service;

import org.jspecify.annotations.NullMarked;
