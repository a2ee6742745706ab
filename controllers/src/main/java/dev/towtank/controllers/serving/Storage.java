package dev.towtank.controllers.serving;

import dev.towtank.model.Json;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where a model lies, by its address.
sealed interface Storage {

    /// A directory of a claim in the InferenceService's namespace.
    ///
    /// @param path within the volume, without a slash at its ends; empty is all of it
    record Claim(String claim, String path) implements Storage {}

    /// Objects below a prefix, or the one of that name.
    record Bucket(String bucket, String prefix) implements Storage {}

    /// A path in a place that a Secret tells of.
    ///
    /// @param key of the Secret
    /// @param parameters in place of what it says
    record Configured(String key, String path, Json.Obj parameters) implements Storage {}

    /// Of a model: by its address, or by what it says about its storage.
    static Optional<Storage> of(Json.Obj model) {
        var storage = model.object("storage");
        if (!model.string("storageUri").isEmpty() || storage.size() == 0) {
            return read(model.string("storageUri"));
        }
        var key = storage.string("key");
        var type = storage.string("parameters", "type");
        return Optional.of(new Configured(
                !key.isEmpty() ? key : type.isEmpty() ? "default" : "default_" + type,
                storage.string("path"),
                storage.object("parameters")));
    }

    Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

    static Optional<Storage> read(String uri) {
        int scheme = uri.indexOf("://");
        if (scheme < 0 || problem(uri).isPresent()) {
            return Optional.empty();
        }
        var rest = uri.substring(scheme + 3);
        int slash = rest.indexOf('/');
        var host = slash < 0 ? rest : rest.substring(0, slash);
        var path = slash < 0 ? "" : rest.substring(slash + 1);
        return switch (uri.substring(0, scheme)) {
            case "pvc" -> Optional.of(new Claim(host, path.replaceAll("/+$", "").replaceAll("^/+", "")));
            case "s3" -> Optional.of(new Bucket(host, path));
            default -> Optional.empty();
        };
    }

    /// Why it is no address of a model.
    static Optional<String> problem(String uri) {
        int scheme = uri.indexOf("://");
        if (uri.isEmpty() || scheme < 0) {
            return Optional.empty();
        }
        var rest = uri.substring(scheme + 3);
        int slash = rest.indexOf('/');
        var host = slash < 0 ? rest : rest.substring(0, slash);
        if (!NAME.matcher(host).matches()) {
            return Optional.of(
                    "storageUri [%s] does not name a claim or bucket: pvc://CLAIM/DIRECTORY or s3://BUCKET/PREFIX"
                            .formatted(uri));
        }
        for (var step : rest.split("/", -1)) {
            if (step.equals("..") || step.equals(".")) {
                return Optional.of("storageUri [%s] must not have . or .. in its path".formatted(uri));
            }
        }
        return Optional.empty();
    }
}
