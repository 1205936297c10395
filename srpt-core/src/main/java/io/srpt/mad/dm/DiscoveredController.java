package io.srpt.mad.dm;

import java.util.List;

/**
 * A controller that an I/O unit told of.
 *
 * @param slot 1 is the first
 * @param profile what it is
 * @param services its service entries, in order
 */
public record DiscoveredController(int slot, IoControllerProfile profile, List<ServiceEntry> services) {}
