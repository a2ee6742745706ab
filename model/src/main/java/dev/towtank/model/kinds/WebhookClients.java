package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.net.URI;
import java.net.URISyntaxException;

/// The rules for a `clientConfig`: where a webhook is reached.
public final class WebhookClients {

    private static final String FORM = "; desired format: https://host[/path]";

    private WebhookClients() {}

    public static void validate(Field client) {
        if (client.has("url") == client.has("service")) {
            client.errors().required(client.path(), "exactly one of url or service is required");
        } else if (client.has("url")) {
            url(client.at("url"));
        } else {
            service(client.at("service"));
        }
    }

    private static void url(Field field) {
        URI url;
        try {
            url = new URI(field.text());
        } catch (URISyntaxException e) {
            field.errors().required(field.path(), "url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        if (!"https".equals(url.getScheme())) {
            var scheme = url.getScheme() == null ? "" : url.getScheme();
            field.with(Json.of(scheme)).invalid("'https' is the only allowed URL scheme" + FORM);
        }
        if (url.getHost() == null || url.getHost().isEmpty()) {
            field.with(Json.of("")).invalid("host must be specified" + FORM);
        }
        if (url.getUserInfo() != null) {
            // Not shown: it may hold a password.
            field.with(Json.of("")).invalid("user information is not permitted in the URL");
        }
        if (url.getFragment() != null) {
            field.with(Json.of(url.getFragment())).invalid("fragments are not permitted in the URL");
        }
        if (url.getRawQuery() != null) {
            field.with(Json.of(url.getRawQuery())).invalid("query parameters are not permitted in the URL");
        }
    }

    private static void service(Field service) {
        service.at("name").required("");
        service.at("namespace").required("");
        var port = service.at("port");
        if (port.isPresent() && (port.number() < 1 || port.number() > 65535)) {
            port.invalid("port is not valid: must be between 1 and 65535, inclusive");
        }
        path(service.at("path"));
    }

    private static void path(Field path) {
        var text = path.text();
        if (text.isEmpty() || text.equals("/")) {
            return;
        }
        if (text.equals("//")) {
            path.invalid("segment[0] may not be empty");
            return;
        }
        if (!text.startsWith("/")) {
            path.invalid("must start with a '/'");
        }
        var steps = text.substring(1).split("/", -1);
        int count = steps.length > 1 && steps[steps.length - 1].isEmpty() ? steps.length - 1 : steps.length;
        for (int i = 0; i < count; i++) {
            if (steps[i].isEmpty()) {
                path.invalid("segment[" + i + "] may not be empty");
            } else {
                for (var problem : Names.dnsSubdomain(steps[i])) {
                    path.invalid("segment[" + i + "]: " + problem);
                }
            }
        }
    }
}
