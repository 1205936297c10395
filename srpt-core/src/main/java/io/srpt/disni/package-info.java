/**
 * Real RDMA devices, through DiSNI (IBM's verbs for Java) and a native library of our own: finds and loads both, and opens
 * devices. What they do is in {@code io.srpt.disni.provider}, which a class loader of its own loads.
 *
 * <pre>
 *   Disni ─▶ DisniClassLoader ─▶ com.ibm.disni ─┐
 *     │            └──────────▶ provider ───────┴─▶ libdisni.so (NativeLibrary unpacks it) ─▶ libibverbs, librdmacm, libibumad
 *     └─▶ RdmaDevice of io.srpt.verbs
 * </pre>
 */
@NullMarked
package io.srpt.disni;

import org.jspecify.annotations.NullMarked;
