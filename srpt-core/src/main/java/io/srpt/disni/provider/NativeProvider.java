package io.srpt.disni.provider;

import com.ibm.disni.verbs.RdmaVerbs;
import io.srpt.disni.DisniProvider;
import io.srpt.disni.DisniSettings;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the class loader of the provider makes by name. */
public final class NativeProvider implements DisniProvider {
    private static final Set<String> OPEN = ConcurrentHashMap.newKeySet();

    /** Loads DiSNI, and with it the native library. */
    public NativeProvider() throws IOException {
        RdmaVerbs.open();
    }

    @Override
    public List<String> deviceNames() {
        return names();
    }

    static List<String> names() {
        List<String> names = new ArrayList<>();
        for (String name = VerbsNative.deviceName(0); name != null; name = VerbsNative.deviceName(names.size())) {
            names.add(name);
        }
        return names;
    }

    @Override
    public List<Gid> addresses(String device) throws VerbsException {
        long context = Records.check(VerbsNative.deviceContext(device), "opening " + device);
        return GidTable.read(context, DisniPort.NUMBER, List.of()).gids();
    }

    @Override
    public RdmaDevice open(RdmaEventLoop loop, DisniSettings settings) throws VerbsException {
        assert loop.inEventLoop();
        if (!OPEN.add(settings.device())) {
            throw new VerbsException(settings.device() + " is open already: its asynchronous events have one reader");
        }
        try {
            return new DisniDevice(loop, settings, () -> OPEN.remove(settings.device()));
        } catch (VerbsException | RuntimeException e) {
            OPEN.remove(settings.device());
            throw e;
        }
    }
}
