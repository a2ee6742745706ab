package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.crd.JsonPathQuery;
import dev.towtank.model.template.TypedMap;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Values that a web server tells.
///
/// @param spec `provider.webhook`, or that of the generator of this name
/// @param secrets what the templates of the request may use, by the names that the spec gives them
/// @param namespace of whoever reads
/// @param call an empty request, with certificates and retries
/// @param address where a host's name leads
public record WebhookProvider(
        Json.Obj spec,
        Map<String, Map<String, String>> secrets,
        String namespace,
        WebCall call,
        UnaryOperator<String> address,
        Calls calls)
        implements Provider {

    @Override
    public byte[] value(RemoteRef ref) {
        var answer = ask(data(ref, false), data(ref, true));
        var path = filled("result.jsonPath", spec.string("result", "jsonPath"), data(ref, false));
        return path.isEmpty() ? answer.bytes() : single(found(answer.json(), path));
    }

    @Override
    public NavigableMap<String, byte[]> values(RemoteRef ref) {
        return values(data(ref, false), data(ref, true));
    }

    /// What a generator makes, which refers to nothing.
    public NavigableMap<String, byte[]> generated() {
        return values(data(), data());
    }

    private NavigableMap<String, byte[]> values(Map<String, TypedMap> raw, Map<String, TypedMap> escaped) {
        var path = filled("result.jsonPath", spec.string("result", "jsonPath"), raw);
        var answer = ask(raw, escaped).json();
        var part = path.isEmpty() ? answer : found(answer, path);
        if (part instanceof Json.Str(var text)) {
            part = parsed(text);
        }
        if (!(part instanceof Json.Obj object)) {
            throw ReadProblem.of("failed to get response (wrong type): a JSON object is needed");
        }
        var values = new TreeMap<String, byte[]>();
        object.forEach((key, value) -> values.put(key, JsonProperty.bytes(value)));
        return values;
    }

    private static Json parsed(String text) {
        try {
            return JsonText.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonText.Malformed e) {
            throw ReadProblem.of("failed to parse response json from jsonpath: it is no JSON");
        }
    }

    @Override
    public NavigableMap<String, byte[]> find(Json.Obj find) {
        throw ReadProblem.of("not implemented: the webhook provider cannot find");
    }

    /// The request that the spec describes.
    public WebCall request(Map<String, TypedMap> raw, Map<String, TypedMap> escaped) {
        var method = spec.string("method").isEmpty() ? "GET" : spec.string("method");
        var url = address.apply(filled("url", spec.string("url"), escaped));
        var request =
                new WebCall(method, url, Map.of(), "", call.timeout(), call.tls(), call.account(), call.retries());
        for (var header : spec.stringMap("headers").entrySet()) {
            request = request.with(header.getKey(), filled("header " + header.getKey(), header.getValue(), raw));
        }
        var timeout = spec.string("timeout");
        if (!timeout.isEmpty()) {
            try {
                request = request.within(Durations.parse(timeout));
            } catch (Durations.Malformed e) {
                throw ReadProblem.of("timeout: " + e.getMessage());
            }
        }
        return request.saying(filled("body", spec.string("body"), raw));
    }

    private WebAnswer ask(Map<String, TypedMap> raw, Map<String, TypedMap> escaped) {
        var answer = calls.ask(request(raw, escaped));
        if (answer.status() == 404) {
            throw ReadProblem.ofMissing();
        }
        if (!answer.isGood()) {
            throw ReadProblem.of("endpoint gave error " + answer.status());
        }
        return answer;
    }

    private Map<String, TypedMap> data() {
        var data = new HashMap<String, TypedMap>();
        secrets.forEach((name, values) -> data.put(name, TypedMap.strings(values)));
        return data;
    }

    private Map<String, TypedMap> data(RemoteRef ref, boolean forUrl) {
        UnaryOperator<String> form =
                forUrl ? text -> URLEncoder.encode(text, StandardCharsets.UTF_8) : UnaryOperator.identity();
        var data = data();
        data.put(
                "remoteRef",
                TypedMap.strings(Map.of(
                        "key", form.apply(ref.key()),
                        "version", form.apply(ref.version()),
                        "property", form.apply(ref.property()),
                        "namespace", namespace)));
        return data;
    }

    private static String filled(String what, String template, Map<String, TypedMap> data) {
        return template.isEmpty() ? "" : NameExpressions.filled(template, data, "failed to parse " + what + ": ");
    }

    private static Json found(Json answer, String path) {
        var query = JsonPathQuery.parse(path.startsWith("$") ? path.substring(1) : "." + path)
                .orElseThrow(() -> ReadProblem.of("failed to get response path " + path + ": no JSONPath"));
        var found = query.find(answer);
        if (found.isEmpty()) {
            throw ReadProblem.of("failed to get response path " + path + ": nothing is there");
        }
        return found.getFirst();
    }

    /// Of several the first, and objects as JSON.
    private static byte[] single(Json value) {
        if (value instanceof Json.Arr array) {
            if (array.size() == 0) {
                throw ReadProblem.of("filter worked but didn't get any result");
            }
            return single(array.get(0));
        }
        return JsonProperty.bytes(value);
    }

    /// Values are nobody's business.
    @Override
    public String toString() {
        return "webhook " + spec.string("url");
    }
}
