package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.store.Key;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Where the next page of a list begins: the revision of the list and the last key of the page before.
///
/// @param revision of the list, or -1 to go on with the newest state at the price of consistency
record ContinueToken(long revision, String namespace, String name) {

    private static final String VERSION = "meta.k8s.io/v1";

    static ContinueToken after(long revision, Key key) {
        return new ContinueToken(revision, key.namespace(), key.name());
    }

    Key key(GroupResource resource, LogicalCluster cluster) {
        return new Key(resource, cluster, namespace, name);
    }

    ContinueToken inconsistent() {
        return new ContinueToken(-1, namespace, name);
    }

    String encode() {
        var json = Json.Obj.of(
                "v", Json.of(VERSION), "rv", Json.of(revision), "start", Json.of(namespace + "/" + name + "\0"));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(JsonText.bytes(json));
    }

    static ContinueToken decode(String token) {
        var json = parse(token);
        if (!json.string("v").equals(VERSION)) {
            throw StatusError.badRequest(
                    "invalid continue token: continue key is not valid: server does not recognize this encoded version "
                            + json.string("v"));
        }
        long revision = json.integer("rv");
        if (revision == 0) {
            throw StatusError.badRequest(
                    "invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version "
                            + VERSION + ")");
        }
        var start = json.string("start");
        if (start.isEmpty()) {
            throw StatusError.badRequest(
                    "invalid continue token: continue key is not valid: encoded start key empty (version " + VERSION
                            + ")");
        }
        int slash = start.indexOf('/');
        if (slash < 0 || !start.endsWith("\0") || start.indexOf('/', slash + 1) >= 0) {
            throw StatusError.badRequest("invalid continue token: continue key is not valid");
        }
        return new ContinueToken(revision, start.substring(0, slash), start.substring(slash + 1, start.length() - 1));
    }

    private static Json.Obj parse(String token) {
        try {
            return JsonText.parseObject(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | JsonText.Malformed e) {
            throw StatusError.badRequest(
                    "invalid continue token: continue key is not valid: it is not a token of this server");
        }
    }
}
