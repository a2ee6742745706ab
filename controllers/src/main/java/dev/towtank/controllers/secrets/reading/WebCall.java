package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.LogicalCluster;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A request to a web server, as a value. What it says may be secret, so nothing of it but its host is ever shown.
///
/// @param method empty to find out only whether somebody listens there
/// @param account in whose name: a token of it is made when the request is sent
public record WebCall(
        String method,
        String url,
        Map<String, String> headers,
        String body,
        Duration timeout,
        Tls tls,
        Optional<Account> account,
        Retries retries) {

    public static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(15);

    public static final String REACH = "";

    /// @param authority PEM of whom to trust; empty for the usual list
    /// @param certificate PEM of who we are, with its key; empty for nobody
    public record Tls(String authority, String certificate, String key) {
        public static final Tls USUAL = new Tls("", "", "");

        @Override
        public String toString() {
            return "TLS";
        }
    }

    /// A ServiceAccount of this server.
    public record Account(LogicalCluster cluster, String namespace, String name, List<String> audiences) {
        public Account {
            audiences = List.copyOf(audiences);
        }
    }

    /// @param most how often it is tried again at once
    /// @param pause before each
    public record Retries(int most, Duration pause) {
        public static final Retries NONE = new Retries(0, Duration.ZERO);
    }

    public WebCall {
        headers = Map.copyOf(headers);
    }

    public static WebCall of(String method, String url) {
        return new WebCall(method, url, Map.of(), "", USUAL_TIMEOUT, Tls.USUAL, Optional.empty(), Retries.NONE);
    }

    public WebCall with(String header, String value) {
        var more = new TreeMap<>(headers);
        more.put(header, value);
        return new WebCall(method, url, more, body, timeout, tls, account, retries);
    }

    public WebCall saying(String text) {
        return new WebCall(method, url, headers, text, timeout, tls, account, retries);
    }

    public WebCall within(Duration time) {
        return new WebCall(method, url, headers, body, time, tls, account, retries);
    }

    public WebCall over(Tls connection) {
        return new WebCall(method, url, headers, body, timeout, connection, account, retries);
    }

    public WebCall as(Optional<Account> somebody) {
        return new WebCall(method, url, headers, body, timeout, tls, somebody, retries);
    }

    public WebCall trying(Retries often) {
        return new WebCall(method, url, headers, body, timeout, tls, account, often);
    }

    /// Such as `vault.example.com:8200`.
    public String host() {
        try {
            return String.valueOf(URI.create(url).getAuthority());
        } catch (IllegalArgumentException e) {
            return "an address that is none";
        }
    }

    @Override
    public String toString() {
        return method + " " + host();
    }
}
