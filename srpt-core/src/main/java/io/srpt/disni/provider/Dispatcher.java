package io.srpt.disni.provider;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.lang.reflect.Constructor;

/**
 * DiSNI's native methods. DiSNI makes their object for itself alone, and wants it to wrap pointers that come from elsewhere.
 */
final class Dispatcher {
    static final NativeDispatcher INSTANCE = make();

    private Dispatcher() {}

    private static NativeDispatcher make() {
        try {
            Constructor<NativeDispatcher> constructor = NativeDispatcher.class.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this is not DiSNI 2.1", e);
        }
    }
}
