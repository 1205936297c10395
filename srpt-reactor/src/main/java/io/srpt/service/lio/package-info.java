/**
 * Reads what LIO's {@code targetctl save} wrote, and says the same in a configuration of this service.
 *
 * <pre>
 *   saveconfig.json ─▶ LioImport ─┬─▶ settings ─▶ YAML of {@code serve --config}
 *      WorldWideName ─────┘       └─▶ what has no counterpart, line by line
 * </pre>
 */
@NullMarked
package io.srpt.service.lio;

import org.jspecify.annotations.NullMarked;
