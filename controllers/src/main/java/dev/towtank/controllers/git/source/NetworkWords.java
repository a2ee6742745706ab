package dev.towtank.controllers.git.source;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What failures of the network mean.
public final class NetworkWords {

    private static final Pattern PASSING_STATUS = Pattern.compile(": (408|429|5\\d\\d)\\b");

    private NetworkWords() {}

    /// Whether somebody could not be reached, as opposed to what they said.
    public static boolean isPassing(Throwable problem) {
        return Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .limit(10)
                .anyMatch(each -> each instanceof SocketException
                        || each instanceof UnknownHostException
                        || each instanceof UnresolvedAddressException
                        || each instanceof EOFException
                        || PASSING_STATUS
                                .matcher(String.valueOf(each.getMessage()))
                                .find());
    }

    /// Java says little about servers that cannot be reached, and nothing about which.
    public static String words(Throwable problem, String host) {
        var chain = Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .limit(10)
                .toList();
        if (chain.stream()
                .anyMatch(each -> each instanceof UnresolvedAddressException || each instanceof UnknownHostException)) {
            return "cannot reach " + host + ": no such host";
        }
        if (chain.stream().anyMatch(ConnectException.class::isInstance)) {
            return "cannot reach " + host + ": connection refused";
        }
        return chain.stream()
                .map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(problem.getClass().getSimpleName());
    }
}
