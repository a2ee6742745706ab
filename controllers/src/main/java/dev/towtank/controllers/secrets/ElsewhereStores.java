package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.reading.Calls;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.Provider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.reading.RemoteServer;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.controllers.secrets.reading.WebhookProvider;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Services;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Stores whose values come over a network: another Kubernetes, or a web server.
final class ElsewhereStores {

    private static final Duration STORE_GOOD_FOR = Duration.ofSeconds(1);
    private static final Duration ROUND = Duration.ofDays(1);
    private static final Pattern SERVICE = Pattern.compile("([a-z0-9-]+)\\.([a-z0-9-]+)\\.svc(\\.cluster\\.local)?");

    private final Cache services;
    private final StoreParts parts;
    private final Abroad abroad;

    ElsewhereStores(Caches caches, StoreParts parts, Abroad abroad) {
        this.services = caches.of(Services.KIND);
        this.parts = parts;
        this.abroad = abroad;
    }

    Provider provider(Store store, StoreParts.Near near, Resource asker) {
        var calls = calls(asker);
        return store.isWebhook()
                ? webhook(store.provider().object("webhook"), near, store.retries(), calls)
                : new KubernetesProvider(remote(store, near, calls));
    }

    /// Every refresh of an object asks anew.
    private Calls calls(Resource asker) {
        return abroad.calls(ObjectName.of(asker), new Refresh(asker).round(), ROUND);
    }

    StoreFinding look(Store store) {
        var near = new StoreParts.Near(store.object(), store.object().namespace());
        var calls = abroad.calls(ObjectName.of(store.object()), "", STORE_GOOD_FOR);
        if (store.isWebhook()) {
            var url = reached(near).apply(store.provider().string("webhook", "url"));
            try {
                calls.ask(WebCall.of(WebCall.REACH, url.replaceFirst("\\{\\{.*", "")));
                return new StoreFinding.Valid();
            } catch (ReadProblem e) {
                return new StoreFinding.Invalid(e.text());
            }
        }
        if (store.isClusterWide() && Stores.isLeftToUser(store.kubernetes().object("auth"))) {
            return new StoreFinding.Valid();
        }
        return remote(store, near, calls).isAllowed()
                ? new StoreFinding.Valid()
                : new StoreFinding.Invalid("client is not allowed to get secrets");
    }

    /// What a generator that asks a web server makes.
    WebhookProvider generator(Json.Obj spec, StoreParts.Near near, Resource asker) {
        return webhook(spec, near, WebCall.Retries.NONE, calls(asker));
    }

    private WebhookProvider webhook(Json.Obj spec, StoreParts.Near near, WebCall.Retries retries, Calls calls) {
        var call = WebCall.of("GET", "")
                .over(new WebCall.Tls(parts.authority(near, spec), "", ""))
                .trying(retries);
        return new WebhookProvider(spec, parts.ofWebhook(near, spec), near.namespace(), call, reached(near), calls);
    }

    /// Services have addresses in this server and no names outside of pods. A certificate is for the name, so what is
    /// asked over TLS keeps it.
    private UnaryOperator<String> reached(StoreParts.Near near) {
        return url -> {
            try {
                var host = String.valueOf(URI.create(url).getHost());
                var name = SERVICE.matcher(host);
                if (!url.startsWith("http://") || !name.matches()) {
                    return url;
                }
                return services.get(new ObjectName(near.owner().cluster(), name.group(2), name.group(1)))
                        .map(service -> service.spec().string("clusterIP"))
                        .filter(ip -> !ip.isEmpty() && !ip.equals("None"))
                        .map(ip -> url.replaceFirst(Pattern.quote(host), ip))
                        .orElse(url);
            } catch (IllegalArgumentException e) {
                return url;
            }
        };
    }

    RemoteServer remote(Store store, StoreParts.Near near, Resource asker) {
        return remote(store, near, calls(asker));
    }

    private RemoteServer remote(Store store, StoreParts.Near near, Calls calls) {
        var spec = store.kubernetes();
        var auth = spec.object("auth");
        var authority = parts.authority(near, spec.object("server"));
        var call = WebCall.of("GET", Addresses.ofServer(store.url())).trying(store.retries());
        if (auth.get("serviceAccount") instanceof Json.Obj selector) {
            var name = near.name(selector);
            var account = new WebCall.Account(
                    name.cluster(),
                    name.namespace(),
                    name.name(),
                    selector.array("audiences").strings());
            call = call.as(Optional.of(account)).over(new WebCall.Tls(authority, "", ""));
        } else if (auth.at("token", "bearerToken") instanceof Json.Obj selector) {
            call = call.with("Authorization", "Bearer " + parts.text(near, selector, "Auth.Token.BearerToken"))
                    .over(new WebCall.Tls(authority, "", ""));
        } else if (auth.get("cert") instanceof Json.Obj cert) {
            call = call.over(new WebCall.Tls(
                    authority,
                    parts.text(near, cert.object("clientCert"), "Auth.Cert.ClientCert"),
                    parts.text(near, cert.object("clientKey"), "Auth.Cert.ClientKey")));
        } else {
            throw ReadProblem.of("no auth provider given");
        }
        return new RemoteServer(call, store.remoteNamespace(), calls);
    }
}
