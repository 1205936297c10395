package io.srpt.service.http;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code /api/v1/} shows. Any thread. */
public interface StatusSource {
    /** The names of its documents. */
    Set<String> names();

    /** The document {@code name} of maps, lists, texts and numbers; null while there is none. */
    @Nullable Map<String, Object> document(String name);
}
