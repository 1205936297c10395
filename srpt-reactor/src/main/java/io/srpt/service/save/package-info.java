/**
 * Replaces a file that matters: a reader, and whoever comes after a power cut, finds the old one or the new one, whole.
 *
 * <pre>
 *   text ─▶ SavedFile ─ temporary file, sync ─ link to a backup ─ rename ─ sync of the folder ─ old backups away ─▶ Folder
 * </pre>
 */
@NullMarked
package io.srpt.service.save;

import org.jspecify.annotations.NullMarked;
