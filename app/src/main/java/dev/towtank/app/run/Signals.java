package dev.towtank.app.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Consumer;

/// The signals that a terminal and the system send to this process.
///
/// A shutdown hook would not do: it is told of the first signal only, and a second Ctrl-C must count.
public final class Signals implements Stopping {

    private static final Map<String, Wish> WISHES =
            Map.of("INT", Wish.INTERRUPT, "TERM", Wish.TERMINATE, "HUP", Wish.TERMINATE);

    @Override
    public void subscribe(Consumer<Wish> listener) {
        try {
            // Every JDK has these classes (jdk.unsupported), but compilers warn of them.
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var handle = signal.getMethod("handle", signal, handler);
            for (var wish : WISHES.entrySet()) {
                var proxy = Proxy.newProxyInstance(
                        handler.getClassLoader(),
                        new Class<?>[] {handler},
                        (self, method, args) -> switch (method.getName()) {
                            case "handle" -> {
                                listener.accept(wish.getValue());
                                yield null;
                            }
                            case "hashCode" -> System.identityHashCode(self);
                            case "equals" -> false;
                            default -> "handler of SIG" + wish.getKey();
                        });
                var _ = handle.invoke(null, signal.getConstructor(String.class).newInstance(wish.getKey()), proxy);
            }
        } catch (InvocationTargetException e) {
            // The signal is taken, as with -Xrs: then it ends the process as it always did.
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM cannot handle signals", e);
        }
    }
}
