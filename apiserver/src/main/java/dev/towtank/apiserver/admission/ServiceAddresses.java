package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.FieldError;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Services;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Gives Services their cluster addresses and node ports, each to one Service at a time.
///
/// Who has an address is written in the same commit as the Service, so two requests never get the same. The addresses
/// are loopback addresses of this machine and its ports, so all logical clusters share one pool. A note about a Service
/// that is gone, or has let the address go, counts for nothing: the next one takes it over.
public final class ServiceAddresses implements Admission {

    private static final GroupResource NOTES = new GroupResource("towtank.dev", "serviceaddresses");
    private static final String NODE_PORT = "port-";
    private static final int ATTEMPTS = 4096;

    private final Store store;
    private final RandomGenerator random;

    public ServiceAddresses(Store store, RandomGenerator random) {
        this.store = store;
        this.random = random;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (!review.isWholeObject("", "Service")) {
            return object;
        }
        refuseOtherFamilies(review, object);
        var chosen = new LinkedHashSet<String>();
        var service = Services.needsClusterIp(object) ? Services.withClusterIp(object, freeIp(review)) : object;
        for (int i = 0; i < service.objects("spec", "ports").size(); i++) {
            if (Services.needsNodePort(service, i)) {
                service = Services.withNodePort(service, i, nodePort(review, service, i, chosen));
            }
        }
        boolean needsHealthPort = service.string("spec", "type").equals("LoadBalancer")
                && service.string("spec", "externalTrafficPolicy").equals("Local")
                && service.integer("spec", "healthCheckNodePort") == 0;
        return needsHealthPort
                ? service.with(List.of("spec", "healthCheckNodePort"), Json.of(freePort(review, chosen)))
                : service;
    }

    /// A Service whose addresses are told by others, or by nobody, may name any family.
    private static void refuseOtherFamilies(Review review, Json.Obj service) {
        var spec = service.object("spec");
        if (Services.isHeadless(service) && spec.object("selector").size() == 0) {
            return;
        }
        var errors = new FieldError.Collector();
        if (spec.string("ipFamilyPolicy").equals("RequireDualStack")) {
            errors.invalid(
                    Path.of("spec", "ipFamilyPolicy"),
                    "RequireDualStack",
                    "this cluster is not configured for dual-stack services");
        }
        var families = spec.array("ipFamilies").strings();
        for (int i = 0; i < families.size(); i++) {
            if (families.get(i).equals("IPv6")) {
                errors.invalid(Path.of("spec", "ipFamilies").index(i), "IPv6", "not configured on this cluster");
            }
        }
        refuse(review, service, errors);
    }

    private static void refuse(Review review, Json.Obj service, FieldError.Collector errors) {
        if (!errors.isEmpty()) {
            throw StatusError.invalid(review.kind(), service.string("metadata", "name"), errors.errors());
        }
    }

    private String freeIp(Review review) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var ip = ServiceRange.ip(random);
            if (isFree(review, ip)) {
                return ip;
            }
        }
        throw full(review, "a serviceIP", "range is full");
    }

    // The same port for TCP and UDP stays the same port outside.
    private long nodePort(Review review, Json.Obj service, int index, Set<String> chosen) {
        var ports = service.objects("spec", "ports");
        for (int i = 0; i < index; i++) {
            var other = ports.get(i);
            if (other.integer("port") == ports.get(index).integer("port")
                    && !other.string("protocol").equals(ports.get(index).string("protocol"))
                    && other.integer("nodePort") != 0) {
                return other.integer("nodePort");
            }
        }
        return freePort(review, chosen);
    }

    private long freePort(Review review, Set<String> chosen) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long port = ServiceRange.port(random);
            if (isFree(review, NODE_PORT + port) && chosen.add(NODE_PORT + port)) {
                return port;
            }
        }
        throw full(review, "a nodePort", "range is full");
    }

    private static StatusError full(Review review, String what, String why) {
        return new StatusError(
                StatusError.Reason.INTERNAL_ERROR,
                "Internal error occurred: failed to allocate " + what + " for Service \"" + review.name() + "\": "
                        + why);
    }

    @Override
    public void check(Review review) {
        var service = review.object();
        if (service == null || !review.isWholeObject("", "Service")) {
            return;
        }
        var errors = new FieldError.Collector();
        var before = addresses(review.old());
        checkIps(review, service, before, errors);
        var ports = service.objects("spec", "ports");
        for (int i = 0; i < ports.size(); i++) {
            var path = Path.of("spec", "ports").index(i).child("nodePort");
            checkPort(review, ports.get(i).integer("nodePort"), path, before, errors);
        }
        var health = Path.of("spec", "healthCheckNodePort");
        checkPort(review, service.integer("spec", "healthCheckNodePort"), health, before, errors);
        refuse(review, service, errors);
    }

    private void checkIps(Review review, Json.Obj service, Set<String> before, FieldError.Collector errors) {
        for (var ip : service.array("spec", "clusterIPs").strings()) {
            if (ip.equals("None") || before.contains(ip) || isReserved(review, ip)) {
                continue;
            }
            var problem = !ServiceRange.contains(ip)
                    ? "the provided IP (" + ip + ") is not in the valid range. The range of valid IPs is "
                            + ServiceRange.CIDR
                    : isFree(review, ip) ? "" : "provided IP is already allocated";
            if (!problem.isEmpty()) {
                errors.invalid(
                        Path.of("spec", "clusterIPs"),
                        service.array("spec", "clusterIPs"),
                        "failed to allocate IP " + ip + ": " + problem);
            }
        }
    }

    private void checkPort(Review review, long port, Path path, Set<String> before, FieldError.Collector errors) {
        if (port == 0 || before.contains(NODE_PORT + port)) {
            return;
        }
        if (!ServiceRange.containsPort(port)) {
            errors.invalid(
                    path,
                    Json.of(port),
                    "provided port is not in the valid range. The range of valid ports is " + ServiceRange.PORTS);
        } else if (!isFree(review, NODE_PORT + port)) {
            errors.invalid(path, Json.of(port), "provided port is already allocated");
        }
    }

    /// Every logical cluster has a Service for the one API server.
    private static boolean isReserved(Review review, String address) {
        return address.equals(ServiceRange.FIRST)
                && review.namespace().equals("default")
                && review.name().equals("kubernetes");
    }

    @Override
    public List<Write> alongside(Review review) {
        if (!review.isWholeObject("", "Service")) {
            return List.of();
        }
        var before = addresses(review.old());
        var now = addresses(review.object());
        var writes = new ArrayList<Write>();
        for (var address : now) {
            if (!before.contains(address) && !isReserved(review, address)) {
                writes.add(take(review, address));
            }
        }
        boolean stays = review.operation() == Review.Operation.DELETE && isKept(review.old());
        for (var address : before) {
            var note = store.get(key(address));
            if (!stays && !now.contains(address) && note != null && isHolder(review, note)) {
                writes.add(new Write.Delete(note.key(), note.revision(), note.tree()));
            }
        }
        return writes;
    }

    /// A deletion that waits for finalizers; the note is forgotten later.
    private static boolean isKept(Json.@Nullable Obj service) {
        return service != null && service.array("metadata", "finalizers").size() > 0;
    }

    private Write take(Review review, String address) {
        var note = note(review, address);
        var known = store.get(key(address));
        if (known == null || !isFree(review, address)) {
            // Where somebody was faster since the check this conflicts, and everything is decided again.
            return new Write.Create(key(address), note);
        }
        return new Write.Update(known.key(), known.revision(), note);
    }

    private static Key key(String address) {
        return new Key(NOTES, LogicalCluster.DEFAULT, "", address);
    }

    private static Json.Obj note(Review review, String address) {
        return Json.Obj.builder()
                .put("metadata", Json.Obj.of("name", Json.of(address), "uid", Json.of("address-" + address)))
                .put("cluster", review.cluster().id())
                .put("namespace", review.namespace())
                .put("service", review.name())
                .build();
    }

    private static boolean isHolder(Review review, Stored note) {
        return note.tree().string("cluster").equals(review.cluster().id())
                && note.tree().string("namespace").equals(review.namespace())
                && note.tree().string("service").equals(review.name());
    }

    private boolean isFree(Review review, String address) {
        var note = store.get(key(address));
        if (note == null || isHolder(review, note)) {
            return !address.equals(ServiceRange.FIRST);
        }
        var holder = store.get(new Key(
                Services.KIND.resource(),
                new LogicalCluster(note.tree().string("cluster")),
                note.tree().string("namespace"),
                note.tree().string("service")));
        return holder == null || !addresses(holder.tree()).contains(address);
    }

    private static Set<String> addresses(Json.@Nullable Obj service) {
        var addresses = new LinkedHashSet<String>();
        if (service == null) {
            return addresses;
        }
        service.array("spec", "clusterIPs").strings().stream()
                .filter(ip -> !ip.equals("None"))
                .forEach(addresses::add);
        for (var port : service.objects("spec", "ports")) {
            if (port.integer("nodePort") != 0) {
                addresses.add(NODE_PORT + port.integer("nodePort"));
            }
        }
        long health = service.integer("spec", "healthCheckNodePort");
        if (health != 0) {
            addresses.add(NODE_PORT + health);
        }
        return addresses;
    }
}
