package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;

/// Where an interceptor that somebody runs is to be found.
public sealed interface Destination {

    int PLAIN = 80;
    int SECURE = 8443;

    /// @param authority certificates in PEM that it is known by; empty for those that everybody trusts
    record Address(String url, String authority) implements Destination {}

    /// @param authority certificates in PEM that it is known by, with which it is called over TLS; empty for none
    record Service(String namespace, String name, int port, String path, String authority) implements Destination {}

    /// @param interceptor an Interceptor or ClusterInterceptor
    /// @param namespace of the Service where it does not say
    static Destination of(Json.Obj interceptor, String namespace) throws EventRefusal {
        var known = interceptor.string("status", "address", "url");
        var client = interceptor.object("spec", "clientConfig");
        var url = known.isEmpty() ? client.string("url") : known;
        if (!url.isEmpty()) {
            return new Address(url, client.string("caBundle"));
        }
        var service = client.object("service");
        if (service.string("name").isEmpty()) {
            throw new EventRefusal(
                    EventRefusal.Code.FAILED_PRECONDITION,
                    "url resolution failed for interceptor "
                            + interceptor.string("metadata", "name")
                            + ": interceptor URL was nil: its spec.clientConfig has neither url nor service");
        }
        var authority = client.string("caBundle");
        var place = service.string("namespace");
        return new Service(
                place.isEmpty() ? namespace : place,
                service.string("name"),
                (int) service.integerOr(authority.isEmpty() ? PLAIN : SECURE, "port"),
                service.string("path"),
                authority);
    }
}
