package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How whoever fetches a model gets at its bucket: as variables that refer to Secrets. No value of one passes through
/// here.
///
/// @param accounts the ServiceAccounts of the namespace
/// @param secrets its Secrets, of which only annotations and the names of keys are looked at
record Credentials(List<Resource> accounts, List<Resource> secrets) {

    private static final String SECRET_ANNOTATION = ServingKinds.GROUP + "/storageSecretName";
    private static final String USUAL_SECRET = "storage-config";
    private static final String ACCESS_KEY = "AWS_ACCESS_KEY_ID";

    /// Annotations of a Secret, and the variables that they become.
    private static final Map<String, String> ANNOTATIONS = Map.of(
            "s3-endpoint", "S3_ENDPOINT",
            "s3-usehttps", "S3_USE_HTTPS",
            "s3-region", "AWS_DEFAULT_REGION",
            "s3-verifyssl", "S3_VERIFY_SSL",
            "s3-useanoncredential", "awsAnonymousCredential",
            "s3-cabundle", "AWS_CA_BUNDLE");

    /// Keys of a Secret that are variables, where it has them.
    private static final List<String> KEYS = List.of(
            ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY",
            "S3_ENDPOINT",
            "S3_USE_HTTPS",
            "S3_VERIFY_SSL",
            "AWS_DEFAULT_REGION",
            "AWS_ENDPOINT_URL",
            "AWS_S3_ENDPOINT");

    Credentials {
        accounts = List.copyOf(accounts);
        secrets = List.copyOf(secrets);
    }

    List<Json> variables(Resource service, Json.Obj predictor, Storage storage) {
        return switch (storage) {
            case Storage.Claim _ -> List.of();
            case Storage.Configured configured -> document(service, configured);
            case Storage.Bucket _ ->
                secret(service, predictor).map(Credentials::flat).orElse(List.of());
        };
    }

    private static List<Json> document(Resource service, Storage.Configured storage) {
        var name = service.annotations().getOrDefault(SECRET_ANNOTATION, USUAL_SECRET);
        var variables = new ArrayList<Json>();
        variables.add(reference("STORAGE_CONFIG", name, storage.key(), false));
        if (storage.parameters().size() > 0) {
            variables.add(Json.Obj.of(
                    "name",
                    Json.of("STORAGE_OVERRIDE_CONFIG"),
                    "value",
                    Json.of(JsonText.write(storage.parameters()))));
        }
        return variables;
    }

    private Optional<Resource> secret(Resource service, Json.Obj predictor) {
        var named = service.annotations().getOrDefault(SECRET_ANNOTATION, "");
        if (!named.isEmpty()) {
            return byName(secrets, named);
        }
        var account = predictor.string("serviceAccountName");
        return byName(accounts, account.isEmpty() ? "default" : account).stream()
                .flatMap(found -> found.json().objects("secrets").stream())
                .flatMap(reference -> byName(secrets, reference.string("name")).stream())
                .filter(secret -> secret.json().object("data").has(ACCESS_KEY)
                        || secret.annotations().containsKey(ServingKinds.GROUP + "/s3-useanoncredential"))
                .findFirst();
    }

    private static Optional<Resource> byName(List<Resource> objects, String name) {
        return objects.stream().filter(object -> object.name().equals(name)).findFirst();
    }

    private static List<Json> flat(Resource secret) {
        var variables = new ArrayList<Json>();
        for (var key : KEYS) {
            if (secret.json().object("data").has(key)) {
                variables.add(reference(key, secret.name(), key, true));
            }
        }
        ANNOTATIONS.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .forEach(entry -> {
                    var value = secret.annotations().get(ServingKinds.GROUP + "/" + entry.getKey());
                    if (value != null) {
                        variables.add(Json.Obj.of("name", Json.of(entry.getValue()), "value", Json.of(value)));
                    }
                });
        return variables;
    }

    private static Json.Obj reference(String variable, String secret, String key, boolean isOptional) {
        var selector = Json.Obj.of("name", Json.of(secret), "key", Json.of(key));
        return Json.Obj.of(
                "name",
                Json.of(variable),
                "valueFrom",
                Json.Obj.of("secretKeyRef", isOptional ? selector.with("optional", Json.Bool.TRUE) : selector));
    }
}
