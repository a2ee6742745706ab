package dev.towtank.controllers.buckets.s3;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An object store elsewhere (MinIO, Ceph), and the keys of whoever may make buckets there.
///
/// @param endpoint with scheme, host and port, without a slash at its end
/// @param authority PEM of whom to trust; empty for the usual list
public record OutsidePlace(String endpoint, S3Keys keys, String authority) {

    private static final Pattern ENDPOINT =
            Pattern.compile("(https?)://([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(:[0-9]{1,5})?/?");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");
    private static final String USUAL_NAMESPACE = "openshift-storage";

    /// Where a StorageClass says that its buckets are.
    ///
    /// @param secret name of the Secret with the keys
    public record Wish(String storageClass, String endpoint, String secret, String namespace, String region) {

        /// Nothing for a class whose buckets are in this server.
        public static Optional<Wish> of(Resource storageClass) {
            var parameters = storageClass.json().object("parameters");
            var endpoint = parameters.string("endpoint");
            var namespace = parameters.string("adminSecretNamespace");
            var region = parameters.string("region");
            return endpoint.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Wish(
                            storageClass.name(),
                            endpoint,
                            parameters.string("adminSecretName"),
                            namespace.isEmpty() ? USUAL_NAMESPACE : namespace,
                            region.isEmpty() ? S3Keys.USUAL_REGION : region));
        }

        /// What nobody can do anything with.
        public Optional<String> problem() {
            var where = "StorageClass " + storageClass + ": parameters.";
            if (!address().matches()) {
                return Optional.of(where + "endpoint must be http:// or https:// with a host and, if need be, a port");
            }
            if (secret.isEmpty()) {
                return Optional.of(where + "adminSecretName is missing: the Secret with AWS_ACCESS_KEY_ID and"
                        + " AWS_SECRET_ACCESS_KEY of somebody who may make buckets at the endpoint");
            }
            return REGION.matcher(region).matches()
                    ? Optional.empty()
                    : Optional.of(where + "region must be lower case letters, digits and hyphens");
        }

        private Matcher address() {
            return ENDPOINT.matcher(endpoint);
        }

        /// @param admin the Secret that is named
        /// @return nothing where it has no keys, or this is no address
        public Optional<OutsidePlace> place(Resource admin) {
            var access = value(admin, "AWS_ACCESS_KEY_ID");
            var hidden = value(admin, "AWS_SECRET_ACCESS_KEY");
            if (problem().isPresent() || access.isEmpty() || hidden.isEmpty()) {
                return Optional.empty();
            }
            var base = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
            return Optional.of(new OutsidePlace(base, new S3Keys(access, hidden, region), value(admin, "ca.crt")));
        }
    }

    private static String value(Resource secret, String key) {
        try {
            var bytes = Base64.getDecoder().decode(secret.json().string("data", key));
            return new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /// As it is in the header of a request.
    public String host() {
        var host = endpoint.substring(endpoint.indexOf("://") + 3);
        boolean isUsual = endpoint.startsWith("https:") ? host.endsWith(":443") : host.endsWith(":80");
        return isUsual ? host.substring(0, host.lastIndexOf(':')) : host;
    }

    /// Neither keys nor certificates.
    @Override
    public String toString() {
        return "object store at " + Json.of(endpoint);
    }
}
