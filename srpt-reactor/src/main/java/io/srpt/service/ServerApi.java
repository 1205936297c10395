package io.srpt.service;

import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.Lun;
import io.srpt.service.http.Api;
import io.srpt.service.http.Problem;
import io.srpt.service.http.Problem.Status;
import io.srpt.srp.PortId;
import io.srpt.store.ByteSize;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code /api/v1/} can change of a running service.
 *
 * <pre>
 *   POST   reload                                     the configuration file is read again and followed
 *   POST   config/save            {force}             what runs is written to the configuration file
 *   DELETE sessions/INITIATOR     ?port=NAME          the initiator is logged out, and may come back
 *   POST   luns                   {lun, store, …}     as in the configuration file
 *   DELETE luns/LUN
 *   POST   luns/LUN/grow          {size}              without a size: looks at the medium
 *   POST   ports/NAME/enable, ports/NAME/disable      NAME may have slashes, or be an address
 * </pre>
 */
final class ServerApi implements Api {
    private final ServiceChanges changes;

    ServerApi(ServiceChanges changes) {
        this.changes = changes;
    }

    @Override
    public Reply change(Request request) throws Problem {
        List<String> path = request.path();
        try {
            return switch (path.getFirst()) {
                case "reload" -> reload(request);
                case "config" -> save(request);
                case "sessions" -> closeSession(request);
                case "luns" -> path.size() == 1 ? addLun(request) : changeLun(request);
                case "ports" -> enablePort(request);
                default -> throw notFound();
            };
        } catch (ConfigurationException e) {
            throw new Problem(Status.INVALID, String.valueOf(e.getMessage()));
        } catch (ServiceException e) {
            throw new Problem(Status.CONFLICT, String.valueOf(e.getMessage()));
        }
    }

    private static Problem notFound() {
        return new Problem(Status.NOT_FOUND, "there is no such thing to change");
    }

    private static void require(Request request, String method, boolean known) throws Problem {
        if (!known) {
            throw notFound();
        }
        if (!request.method().equals(method)) {
            throw new Problem(Status.METHOD_NOT_ALLOWED, "use " + method);
        }
    }

    private Reply reload(Request request) throws Problem, ConfigurationException, ServiceException {
        require(request, "POST", request.path().size() == 1);
        Reconfiguration.Outcome outcome = changes.reload();
        if (!outcome.failures().isEmpty()) {
            throw new Problem(Status.FAILED, String.join("; ", outcome.failures()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("changes", outcome.changes());
        document.put("needs_restart", outcome.needsRestart());
        return Reply.done(document);
    }

    private Reply save(Request request) throws Problem, ConfigurationException, ServiceException {
        require(request, "POST", request.path().equals(List.of("config", "save")));
        boolean force = Boolean.TRUE.equals(request.body().get("force"));
        LiveConfiguration.Saved saved = changes.make(live -> live.save(force));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("file", saved.file().toString());
        document.put("shadowed", saved.shadowed());
        return Reply.done(document);
    }

    private Reply closeSession(Request request) throws Problem, ConfigurationException, ServiceException {
        require(request, "DELETE", request.path().size() == 2);
        PortId initiator;
        try {
            initiator = PortId.parse(request.path().get(1));
        } catch (IllegalArgumentException e) {
            throw new Problem(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
        int channels = changes.closeSession(initiator, request.query().getOrDefault("port", ""));
        if (channels == 0) {
            throw new Problem(Status.NOT_FOUND, "no session of " + initiator + " is there");
        }
        return Reply.done(Map.of("initiator", initiator.toString(), "channels", channels));
    }

    private Reply addLun(Request request) throws Problem, ConfigurationException, ServiceException {
        require(request, "POST", true);
        Setting lun = Setting.ofRequest(SettingKey.LUN.key(), request.body());
        Setting number = lun.field("lun");
        int wanted = Values.number(number, -1, 0, Lun.MAX);
        int added = changes.make(live -> {
            if (live.hasLun(wanted)) {
                throw new ServiceException("there is a LUN " + wanted + " already");
            }
            return live.addLun(lun);
        });
        return new Reply(true, document(added));
    }

    private Reply changeLun(Request request) throws Problem, ConfigurationException, ServiceException {
        List<String> path = request.path();
        int lun = lun(path.get(1));
        if (path.size() == 2) {
            require(request, "DELETE", true);
            changes.make(live -> {
                live.removeLun(lun);
                return lun;
            });
            return Reply.done(Map.of("lun", lun));
        }
        require(request, "POST", path.size() == 3 && path.get(2).equals("grow"));
        long bytes = size(request.body().get("size"));
        changes.make(live -> {
            live.growLun(lun, bytes);
            return lun;
        });
        return Reply.done(document(lun));
    }

    private int lun(String text) throws Problem {
        try {
            int lun = Integer.parseInt(text);
            if (changes.server().units().containsKey(lun)) {
                return lun;
            }
        } catch (NumberFormatException e) {
            // then there is none
        }
        throw new Problem(Status.NOT_FOUND, "there is no LUN " + text);
    }

    private static long size(@Nullable Object size) throws Problem {
        if (size == null) {
            return 0;
        }
        long bytes = ByteSize.parse(size.toString()).orElse(0);
        if (bytes <= 0) {
            throw new Problem(Status.BAD_REQUEST, "size: '" + size + "' is no size; write such as 20GiB");
        }
        return bytes;
    }

    private Map<String, Object> document(int lun) {
        LogicalUnit unit = changes.server().units().get(lun);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("lun", lun);
        if (unit != null) {
            document.put("store", unit.store().toString());
            document.put("serial", unit.config().serial());
            document.put("bytes", unit.store().sizeBytes());
        }
        return document;
    }

    private Reply enablePort(Request request) throws Problem, ConfigurationException, ServiceException {
        List<String> path = request.path();
        String verb = path.getLast();
        require(request, "POST", path.size() > 2 && (verb.equals("enable") || verb.equals("disable")));
        String name = String.join("/", path.subList(1, path.size() - 1));
        List<InetAddress> addresses = changes.addressesOfPort(name);
        if (addresses.isEmpty()) {
            throw new Problem(Status.NOT_FOUND, "there is no port " + name);
        }
        boolean enabled = verb.equals("enable");
        changes.make(live -> {
            live.enablePort(addresses, enabled);
            return enabled;
        });
        return Reply.done(Map.of("port", name, "enabled", enabled));
    }
}
