package dev.towtank.node.linux;

import java.util.Optional;

/// The signals that a container can be sent, with their numbers on Linux.
public enum Signal {
    HUP(1),
    INT(2),
    QUIT(3),
    KILL(9),
    USR1(10),
    USR2(12),
    TERM(15),
    CONT(18),
    STOP(19);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /// As in an image's configuration, where it may lack `SIG`, or be a number.
    public static Optional<Signal> ofImage(String text) {
        for (var signal : values()) {
            if (text.equals(signal.name()) || text.equals(Integer.toString(signal.number))) {
                return Optional.of(signal);
            }
        }
        return named(text);
    }

    /// By a name as in `lifecycle.stopSignal`, like `SIGUSR1`.
    public static Optional<Signal> named(String name) {
        for (var signal : values()) {
            if (name.equals("SIG" + signal.name())) {
                return Optional.of(signal);
            }
        }
        return Optional.empty();
    }
}
