/**
 * Replaces small files that matter: a reader, and whoever comes after a power cut, finds the old one or the new one, whole.
 *
 * <pre>
 *   bytes ─▶ DurableFile ─ temporary file, sync ─ (link to a backup) ─ rename ─ sync of the folder ─▶ Folder ─▶ NioFolder
 *                 └──▶ Backups ─ the eldest away ─▶
 * </pre>
 */
@NullMarked
package io.srpt.durable;

import org.jspecify.annotations.NullMarked;
