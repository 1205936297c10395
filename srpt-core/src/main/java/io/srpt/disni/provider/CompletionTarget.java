package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvWC;
import io.srpt.verbs.CompletionListener;

/** Whose work requests a completion can be about: a queue pair, or a shared receive queue. */
interface CompletionTarget {
    /** What {@link WorkRequestNumber}s of its requests have in common. */
    long numbers();

    /** A request ended: frees its slot and tells {@code listener} through {@code completion}. */
    void onCompletion(IbvWC raw, DisniCompletion completion, CompletionListener listener);
}
