/**
 * Memory of the system beside that of the JVM: for what is large and may stay empty.
 *
 * <pre>
 *   NativeMemory ──▶ store: chunks of memory disks
 *              └──▶ target: receives and responses of channels
 * </pre>
 */
@NullMarked
package io.srpt.memory;

import org.jspecify.annotations.NullMarked;
