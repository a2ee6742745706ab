package dev.towtank.controllers.secrets;

import dev.towtank.controllers.secrets.reading.ReadProblem;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Addresses of servers that stores name.
final class Addresses {

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]");

    private Addresses() {}

    /// @throws ReadProblem it is none, or tokens would go over the network for everybody to read
    static String ofServer(String text) {
        var problem = problem(text);
        if (problem.isPresent()) {
            throw ReadProblem.of(problem.get());
        }
        return text.contains("://") ? text : "https://" + text;
    }

    /// What is wrong with the address of another Kubernetes.
    static Optional<String> problem(String text) {
        try {
            var address = URI.create(text.contains("://") ? text : "https://" + text);
            var scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            var host = address.getHost();
            if (host == null || address.getUserInfo() != null || address.getQuery() != null) {
                return Optional.of("server.url is no address of a server");
            }
            if (scheme.equals("https")
                    || (scheme.equals("http") && LOOPBACK.matcher(host).matches())) {
                return Optional.empty();
            }
            return Optional.of(
                    "server.url must begin with https://: the token would be readable on the network; http is"
                            + " for loopback addresses only");
        } catch (IllegalArgumentException e) {
            return Optional.of("server.url is no address of a server");
        }
    }
}
