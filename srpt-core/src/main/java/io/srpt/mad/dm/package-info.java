/**
 * The Device Management class (0x06): an I/O unit tells what controllers it has and which service to connect to.
 *
 * <pre>
 *   MadAgent ──request──▶ DeviceManagementAgent ──reply──▶ MadAgent      (target)
 *   DeviceManagementClient ──request──▶ MadAgent ──response──▶ client    (initiator)
 *        ClassPortInfo, IoUnitInfo, IoControllerProfile, ServiceEntries: one attribute each
 * </pre>
 */
@NullMarked
package io.srpt.mad.dm;

import org.jspecify.annotations.NullMarked;
