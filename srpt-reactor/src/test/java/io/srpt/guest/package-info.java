/**
 * Tests against the kernel's own SRP initiator: a guest under QEMU on the distribution's kernel, the target on the host
 * side of a wire in a network namespace.
 *
 * <pre>
 *  host, network namespace srpt-PID                        guest
 *  srpt serve 192.0.2.1 fd5a:1::1  == bridge == tap ==  eth0 192.0.2.21 fd5a:1::21, rdma_rxe, ib_srp, ext4, fio
 * </pre>
 *
 * For real verbs the target runs in a second guest, with the host's JDK and jar, and initiators are all around it:
 *
 * <pre>
 *  host, the same namespace                                guest "verbs"
 *  srpt bench, discover 192.0.2.3  == bridge == tap ==  eth0 192.0.2.20 fd5a:1::20, rdma_rxe, srpt serve --provider disni
 *  guest 192.0.2.21 ib_srp ============'                  ib_srp in the same guest
 * </pre>
 *
 * The shell tool {@code src/test/guest/guest} does what is the shell's to do: kernel, initramfs, QEMU, namespace, and the
 * queue of commands into the guest; the scripts of the guest are in {@code src/test/guest/inside}. The classes here
 * start them, start targets, and judge what comes back.
 */
@NullMarked
package io.srpt.guest;

import org.jspecify.annotations.NullMarked;
