package dev.towtank.model.kinds.networking;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The rules for the paths of an Ingress and what they lead to.
final class IngressBackends {

    private static final String WILDCARD_FORMAT =
            "\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final Pattern WILDCARD = Pattern.compile(WILDCARD_FORMAT);

    private IngressBackends() {}

    static List<String> wildcardSubdomain(String host) {
        var problems = new ArrayList<String>();
        if (host.length() > 253) {
            problems.add("must be no more than 253 characters");
        }
        if (!WILDCARD.matcher(host).matches()) {
            problems.add("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which"
                    + " must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric"
                    + " character (e.g. '*.example.com', regex used for validation is '" + WILDCARD_FORMAT + "')");
        }
        return problems;
    }

    static void validatePath(Field entry) {
        var type = entry.at("pathType");
        if (!type.isPresent()) {
            type.required("pathType must be specified");
            return;
        }
        var path = entry.at("path");
        switch (type.text()) {
            case "Exact", "Prefix" -> {
                if (!path.text().startsWith("/")) {
                    path.invalid("must be an absolute path");
                }
                refuseOddPath(path);
            }
            case "ImplementationSpecific" -> {
                if (!path.isEmpty() && !path.text().startsWith("/")) {
                    path.invalid("must be an absolute path");
                }
            }
            default -> type.oneOf("Exact", "ImplementationSpecific", "Prefix");
        }
        validate(entry.at("backend"));
    }

    private static void refuseOddPath(Field path) {
        for (var sequence : List.of("//", "/./", "/../", "%2f", "%2F")) {
            if (path.text().contains(sequence)) {
                path.invalid("must not contain '" + sequence + "'");
            }
        }
        for (var suffix : List.of("/..", "/.")) {
            if (path.text().endsWith(suffix)) {
                path.invalid("cannot end with '" + suffix + "'");
            }
        }
    }

    static void validate(Field backend) {
        var resource = backend.at("resource");
        var service = backend.at("service");
        var nothing = backend.with(Json.of(""));
        if (resource.isPresent() && service.isPresent()) {
            nothing.invalid("cannot set both resource and service backends");
        } else if (resource.isPresent()) {
            validateReference(resource);
        } else if (service.isPresent()) {
            service.at("name").required("").matchesIfSet(Names::dns1035Label);
            validatePort(service.at("port"), nothing);
        } else {
            nothing.invalid("resource or service backend is required");
        }
    }

    private static void validatePort(Field port, Field backend) {
        var name = port.at("name");
        var number = port.at("number");
        if (!name.isEmpty() && !number.isEmpty()) {
            backend.invalid("cannot set both port name & port number");
        } else if (!name.isEmpty()) {
            name.matches(Names::portName);
        } else if (!number.isEmpty()) {
            number.port();
        } else {
            backend.required("port name or number is required");
        }
    }

    /// A reference to an object of any kind.
    static void validateReference(Field reference) {
        if (reference.has("apiGroup")) {
            reference.at("apiGroup").matches(Names::dnsSubdomain);
        }
        reference.at("kind").required("").matchesIfSet(Names::pathSegment);
        reference.at("name").required("").matchesIfSet(Names::pathSegment);
    }
}
