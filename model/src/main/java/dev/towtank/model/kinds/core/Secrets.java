package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.wording.GoJson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Secrets: values that no message, log or table may show.
public final class Secrets {

    private static final String SERVICE_ACCOUNT_NAME = "kubernetes.io/service-account.name";

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "Secret", "secrets")
            .withRules(new SecretRules())
            .withColumns(
                    Column.ofName(),
                    Column.path("Type", "type"),
                    Column.text(
                            "Data", (object, _) -> Json.of(object.object("data").size())),
                    Column.ofAge());

    private Secrets() {}

    /// A value as a program sees it.
    public static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private static final class SecretRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.missing(object, "type", "Opaque");
        }

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            return encodeStringData(object);
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            return encodeStringData(Fill.missing(object, "type", old.string("type")));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var data = Field.root(object, errors).at("data");
            long[] bytes = {0};
            data.eachEntry((key, value) -> {
                ConfigMaps.checkKey(value, key);
                bytes[0] += Base64Data.size(value);
            });
            if (bytes[0] > ConfigMaps.MAX_BYTES) {
                data.tooLong(ConfigMaps.MAX_BYTES);
            }
            validateType(object, data);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            Field.root(object, errors).at("type").immutable(old.get("type"));
            ConfigMaps.refuseChangesWhenImmutable(object, old, errors, List.of("data"));
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            return Map.of("type", object -> object.string("type"));
        }
    }

    /// `stringData` is for writing only: it wins over `data`, and is never stored.
    private static Json.Obj encodeStringData(Json.Obj object) {
        Base64Data.check(object, "Secret", "data");
        if (!(object.get("stringData") instanceof Json.Obj texts)) {
            return object.without("stringData");
        }
        var data = object.object("data");
        for (var entry : texts) {
            var bytes = entry.getValue().display().getBytes(StandardCharsets.UTF_8);
            data = data.with(entry.getKey(), Json.of(Base64.getEncoder().encodeToString(bytes)));
        }
        var stored = object.without("stringData");
        return data.size() == 0 ? stored : stored.with("data", data);
    }

    private static void validateType(Json.Obj secret, Field data) {
        switch (secret.string("type")) {
            case "kubernetes.io/service-account-token" -> {
                if (secret.string("metadata", "annotations", SERVICE_ACCOUNT_NAME)
                        .isEmpty()) {
                    data.errors().required(Path.of("metadata", "annotations").key(SERVICE_ACCOUNT_NAME), "");
                }
            }
            case "kubernetes.io/dockercfg" -> requireJson(data, ".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> requireJson(data, ".dockerconfigjson");
            case "kubernetes.io/basic-auth" -> {
                if (!data.has("username") && !data.has("password")) {
                    requireKey(data, "username");
                    requireKey(data, "password");
                }
            }
            case "kubernetes.io/ssh-auth" -> {
                if (data.at("ssh-privatekey").isEmpty()) {
                    data.errors().required(data.path().key("ssh-privatekey"), "");
                }
            }
            case "kubernetes.io/tls" -> {
                requireKey(data, "tls.crt");
                requireKey(data, "tls.key");
            }
            default -> {}
        }
    }

    private static void requireKey(Field data, String key) {
        if (!data.has(key)) {
            data.errors().required(data.path().key(key), "");
        }
    }

    private static void requireJson(Field data, String key) {
        requireKey(data, key);
        var bytes = Base64Data.decode(data.at(key).text());
        if (!data.has(key) || bytes.isEmpty()) {
            return;
        }
        try {
            JsonText.parseObject(bytes.get());
        } catch (JsonText.Malformed e) {
            data.errors().invalid(data.path().key(key), "<secret contents redacted>", why(bytes.get()));
        }
    }

    // Go's words show one character at most.
    private static String why(byte[] bytes) {
        return GoJson.problem(bytes).orElse("must be a JSON object");
    }
}
