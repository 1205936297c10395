package io.srpt.service;

import io.srpt.scsi.Lun;
import io.srpt.scsi.LunView;
import io.srpt.srp.PortId;
import io.srpt.target.AccessRules;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads who may log in and what they see: {@code any}, or a list of initiators, each a text or fields. The spellings of an
 * initiator:
 *
 * <pre>
 *   0x0000000000000000505400fffe5a0115          a port id; 0x may be left out, and so may zeros in front, in pairs
 *   505400fffe5a0115, 5054:00ff:fe5a:0115       a GUID: of the port id's second half, or of the initiator's node
 *   fe80:0000:0000:0000:5054:00ff:fe5a:0115     all 32 digits of a link-local GID: a port id, or an address
 *   192.0.2.21, fd00::1                         the address that it comes from
 *   192.0.2.0/24, fd00::/64                     all addresses that begin so
 * </pre>
 */
final class AccessSettings {
    static final List<String> FIELDS = List.of("initiator", "name", "luns");
    static final List<String> LUN_FIELDS = List.of("lun", "as", "read-only");
    private static final Pattern DIGITS = Pattern.compile("(0[xX])?[0-9a-fA-F]{1,32}");
    private static final Pattern GUID = Pattern.compile("[0-9a-fA-F]{16}|([0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}");
    private static final Pattern LINK_LOCAL = Pattern.compile("fe80(:[0-9a-fA-F]{4}){7}");

    private AccessSettings() {}

    /** {@code luns} are the numbers that there are. */
    static AccessPolicy of(List<Setting> acls, Set<Integer> luns) throws ConfigurationException {
        if (acls.size() == 1 && acls.getFirst().text().equals("any")) {
            return new AccessPolicy.Any();
        }
        List<AccessRules.Rule> rules = new ArrayList<>();
        for (Setting acl : acls) {
            rules.add(rule(acl, luns));
        }
        return new AccessPolicy.Listed(rules);
    }

    private static AccessRules.Rule rule(Setting acl, Set<Integer> luns) throws ConfigurationException {
        if (acl.fields() == null) {
            return new AccessRules.Rule(acl.path() + " " + acl.text(), who(acl), LunView.ALL);
        }
        Map<String, List<Setting>> fields = acl.fields(FIELDS);
        Setting initiator = acl.field("initiator");
        if (initiator == null) {
            throw acl.wrong("the initiator is missing, such as initiator: 192.0.2.21");
        }
        Setting name = acl.field("name");
        List<Setting> view = fields.get("luns");
        return new AccessRules.Rule(
                acl.path() + " " + (name == null ? initiator.text() : name.text()),
                who(initiator),
                view == null ? LunView.ALL : view(view, luns));
    }

    private static LunView view(List<Setting> settings, Set<Integer> luns) throws ConfigurationException {
        Map<Integer, LunView.Mapping> mappings = new LinkedHashMap<>();
        Set<Integer> seen = new HashSet<>();
        for (Setting setting : settings) {
            boolean plain = setting.fields() == null;
            if (!plain) {
                setting.fields(LUN_FIELDS);
            }
            Setting number = plain ? setting : setting.field("lun");
            if (number == null) {
                throw setting.wrong("the LUN is missing, such as {lun: 5, as: 0}");
            }
            int lun = Values.number(number, 0, 0, Lun.MAX);
            if (!luns.contains(lun)) {
                throw number.wrong("there is no LUN " + lun);
            }
            Setting as = plain ? null : setting.field("as");
            int shown = Values.number(as, lun, 0, Lun.MAX);
            if (!seen.add(shown)) {
                throw setting.wrong("this initiator has a LUN " + shown + " already");
            }
            mappings.put(shown, new LunView.Mapping(lun, !plain && Values.flag(setting.field("read-only"), false)));
        }
        return LunView.of(mappings);
    }

    private static AccessRules.Who who(Setting setting) throws ConfigurationException {
        String text = setting.text();
        if (GUID.matcher(text).matches()) {
            return new AccessRules.Guid(HexFormat.fromHexDigitsToLong(text.replace(":", "")));
        }
        if (DIGITS.matcher(text).matches()) {
            return new AccessRules.Port(portId(setting, text));
        }
        if (LINK_LOCAL.matcher(text).matches()) {
            return new AccessRules.Either(
                    new AccessRules.Port(portId(setting, text.replace(":", ""))), network(setting));
        }
        return network(setting);
    }

    private static PortId portId(Setting setting, String digits) throws ConfigurationException {
        try {
            return PortId.parse(digits);
        } catch (IllegalArgumentException e) {
            throw setting.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static AccessRules.Who network(Setting setting) throws ConfigurationException {
        String text = setting.text();
        int slash = text.indexOf('/');
        InetAddress address;
        try {
            address = slash < 0
                    ? Addresses.parse(SettingKey.ACLS.key(), text)
                    : InetAddress.ofLiteral(text.substring(0, slash));
        } catch (ConfigurationException | IllegalArgumentException e) {
            throw setting.wrong(
                    "'" + text + "' is neither 'any' nor an initiator port id of up to 32 hexadecimal digits,"
                            + " nor a GUID, nor an address or a network such as 192.0.2.0/24");
        }
        int width = address instanceof Inet4Address ? Integer.SIZE : 2 * Long.SIZE;
        int bits = slash < 0
                ? width
                : Values.number(new Setting(text.substring(slash + 1), setting.where(), setting.path()), 0, 0, width);
        return AccessRules.Network.of(address, bits);
    }
}
