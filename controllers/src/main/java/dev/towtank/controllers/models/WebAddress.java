package dev.towtank.controllers.models;

import dev.towtank.model.Resource;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

/// Addresses that messages go to.
final class WebAddress {

    private WebAddress() {}

    static boolean isOne(String text) {
        try {
            var address = new URI(text);
            return ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                    && address.getHost() != null
                    && address.getUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /// The name of a Service, as pods know it, becomes its address, which this machine can reach.
    ///
    /// @param services of the logical cluster
    static URI resolved(String text, List<Resource> services) {
        var address = URI.create(text);
        var parts = address.getHost().split("\\.", -1);
        boolean isService = parts.length >= 3 && parts[2].equals("svc");
        return (isService ? find(services, parts[0], parts[1]) : Optional.<String>empty())
                .map(host -> withHost(address, host))
                .orElse(address);
    }

    private static Optional<String> find(List<Resource> services, String name, String namespace) {
        return services.stream()
                .filter(service ->
                        service.name().equals(name) && service.namespace().equals(namespace))
                .map(service -> service.spec().string("clusterIP"))
                .filter(host -> !host.isEmpty() && !host.equals("None"))
                .findFirst();
    }

    private static URI withHost(URI address, String host) {
        try {
            return new URI(
                    address.getScheme(), null, host, address.getPort(), address.getPath(), address.getQuery(), null);
        } catch (URISyntaxException e) {
            return address;
        }
    }
}
