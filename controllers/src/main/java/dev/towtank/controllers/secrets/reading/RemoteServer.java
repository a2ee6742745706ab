package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Secrets of a namespace of another Kubernetes, over its API.
///
/// @param call a request to its address, with all that it takes to be let in
public record RemoteServer(WebCall call, String namespace, Calls calls) implements KubernetesProvider.Source {

    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";
    private static final int PAGE = 500;

    /// Whether Secrets of the namespace may be read there.
    public boolean isAllowed() {
        var place = Json.Obj.of("namespace", Json.of(namespace));
        var rules = review("SelfSubjectRulesReview", "selfsubjectrulesreviews", place);
        if (rules.isGood()) {
            return rules.json() instanceof Json.Obj review
                    && review.objects("status", "resourceRules").stream().anyMatch(RemoteServer::isGetOfSecrets);
        }
        var attributes = place.with("verb", Json.of("get")).with("resource", Json.of("secrets"));
        var access = review(
                "SelfSubjectAccessReview", "selfsubjectaccessreviews", Json.Obj.of("resourceAttributes", attributes));
        if (!access.isGood()) {
            throw refusal(access);
        }
        return access.json() instanceof Json.Obj review && review.flag("status", "allowed");
    }

    private WebAnswer review(String kind, String plural, Json.Obj spec) {
        var body = Json.Obj.of("apiVersion", Json.of("authorization.k8s.io/v1"), "kind", Json.of(kind), "spec", spec);
        return calls.ask(to("POST", REVIEWS + plural)
                .with("Content-Type", "application/json")
                .saying(JsonText.write(body)));
    }

    private static boolean isGetOfSecrets(Json.Obj rule) {
        return has(rule, "verbs", "get") && has(rule, "resources", "secrets") && has(rule, "apiGroups", "");
    }

    private static boolean has(Json.Obj rule, String field, String value) {
        var values = rule.array(field).strings();
        return values.contains(value) || values.contains("*");
    }

    @Override
    public Optional<Resource> get(String name) {
        var answer = calls.ask(to("GET", path() + "/" + encoded(name)));
        if (answer.status() == 404) {
            return Optional.empty();
        }
        return Optional.of(Resource.of(object(answer)));
    }

    @Override
    public List<Resource> list(LabelSelector selector) {
        var all = new ArrayList<Resource>();
        var query = "?limit=" + PAGE + "&labelSelector=" + encoded(selector.toString());
        var more = "";
        do {
            var page = object(calls.ask(to("GET", path() + query + (more.isEmpty() ? "" : "&continue=" + more))));
            page.objects("items").forEach(item -> all.add(Resource.of(item.with("kind", Json.of("Secret")))));
            more = encoded(page.string("metadata", "continue"));
        } while (!more.isEmpty() && all.size() <= KubernetesProvider.MOST_FOUND);
        return all;
    }

    /// A request for the Secret of a name, or for all where it is empty.
    public WebCall write(String method, String name, Json body) {
        return to(method, path() + (name.isEmpty() ? "" : "/" + encoded(name)))
                .with("Content-Type", "application/json")
                .saying(JsonText.write(body));
    }

    private String path() {
        return "/api/v1/namespaces/" + encoded(namespace) + "/secrets";
    }

    private WebCall to(String method, String path) {
        return new WebCall(
                        method,
                        call.url().replaceFirst("/+$", "") + path,
                        call.headers(),
                        "",
                        call.timeout(),
                        call.tls(),
                        call.account(),
                        call.retries())
                .with("Accept", "application/json");
    }

    private static Json.Obj object(WebAnswer answer) {
        if (!answer.isGood()) {
            throw refusal(answer);
        }
        if (answer.json() instanceof Json.Obj object) {
            return object;
        }
        throw ReadProblem.of("the answer of the server is no object");
    }

    /// In the words of the other server, as far as they are those of a Kubernetes.
    public static ReadProblem refusal(WebAnswer answer) {
        try {
            var message = answer.json() instanceof Json.Obj status ? status.string("message") : "";
            if (!message.isEmpty() && message.length() < 1000) {
                return ReadProblem.of(message);
            }
        } catch (ReadProblem e) {
            // Then it is no Kubernetes that spoke.
        }
        return ReadProblem.of("the server answered " + answer.status());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
