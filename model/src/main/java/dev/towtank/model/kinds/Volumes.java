package dev.towtank.model.kinds;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The volumes of a pod and the sources they take their files from.
public final class Volumes {

    private static final Map<String, Consumer<Field>> SOURCES = sources();

    private Volumes() {}

    /// The volumes that are right, by name: only these can be mounted.
    static Map<String, Json.Obj> validate(Field volumes) {
        var valid = new LinkedHashMap<String, Json.Obj>();
        for (var item : volumes.items()) {
            var problems = new FieldError.Collector();
            var volume = item.reportedTo(problems);
            validateSource(volume, SOURCES);
            var name = volume.at("name").required("").matchesIfSet(Names::dnsLabel);
            if (valid.containsKey(name.text())) {
                problems.duplicate(name.path(), name.shown());
            }
            if (problems.isEmpty()) {
                valid.put(name.text(), item.object());
            }
            problems.errors().forEach(volumes.errors()::add);
        }
        return valid;
    }

    /// Exactly one of the sources, and that one right.
    public static void validateSource(Field volume, Map<String, Consumer<Field>> sources) {
        var found = false;
        for (var source : sources.entrySet()) {
            var field = volume.at(source.getKey());
            if (!field.isPresent()) {
                continue;
            }
            if (found) {
                field.forbidden("may not specify more than 1 volume type");
            } else {
                source.getValue().accept(field);
            }
            found = true;
        }
        if (!found) {
            volume.errors().required(volume.path(), "must specify a volume type");
        }
    }

    static boolean hasSource(Json.Obj volume) {
        return volume.keys().stream()
                .anyMatch(key -> SOURCES.containsKey(key) && !(volume.get(key) instanceof Json.Null));
    }

    /// A rule for sources of which we know no more than what they require.
    public static Consumer<Field> requiring(String... fields) {
        return source -> {
            for (var field : fields) {
                source.at(field).required("");
            }
        };
    }

    public static void hostPath(Field source) {
        if (source.at("path").required("").isEmpty()) {
            return;
        }
        FilePaths.withoutBacksteps(source.at("path"));
        source.at("type")
                .oneOfIfPresent(
                        "",
                        "BlockDevice",
                        "CharDevice",
                        "Directory",
                        "DirectoryOrCreate",
                        "File",
                        "FileOrCreate",
                        "Socket");
    }

    public static void nfs(Field source) {
        source.at("server").required("");
        source.at("path").required("").matches(FilePaths::absolute);
    }

    public static void csiDriver(Field driver) {
        if (driver.required("").isEmpty()) {
            return;
        }
        if (driver.text().length() > 63) {
            driver.tooLong(63);
        }
        driver.matches(name -> Names.dnsSubdomain(name.toLowerCase(Locale.ROOT)));
    }

    private static Map<String, Consumer<Field>> sources() {
        var sources = new LinkedHashMap<String, Consumer<Field>>();
        sources.put("emptyDir", Volumes::emptyDir);
        sources.put("hostPath", Volumes::hostPath);
        sources.put("gitRepo", Volumes::gitRepo);
        sources.put("gcePersistentDisk", requiring("pdName"));
        sources.put("awsElasticBlockStore", requiring("volumeID"));
        sources.put("secret", Volumes::secret);
        sources.put("nfs", Volumes::nfs);
        sources.put("iscsi", requiring("targetPortal", "iqn"));
        sources.put("glusterfs", requiring("endpoints", "path"));
        sources.put("flocker", _ -> {});
        sources.put("persistentVolumeClaim", requiring("claimName"));
        sources.put("rbd", requiring("monitors", "image"));
        sources.put("cinder", requiring("volumeID"));
        sources.put("cephfs", requiring("monitors"));
        sources.put("quobyte", requiring("registry", "volume"));
        sources.put("downwardAPI", Volumes::downwardApi);
        sources.put("fc", _ -> {});
        sources.put("flexVolume", requiring("driver"));
        sources.put("configMap", Volumes::configMap);
        sources.put("azureFile", requiring("secretName", "shareName"));
        sources.put("vsphereVolume", requiring("volumePath"));
        sources.put("photonPersistentDisk", requiring("pdID"));
        sources.put("portworxVolume", requiring("volumeID"));
        sources.put("azureDisk", requiring("diskName", "diskURI"));
        sources.put("storageos", requiring("volumeName"));
        sources.put("projected", Volumes::projected);
        sources.put("scaleIO", requiring("gateway", "system", "volumeName"));
        sources.put("csi", source -> csiDriver(source.at("driver")));
        sources.put("ephemeral", Volumes::ephemeral);
        sources.put("image", Volumes::image);
        return sources;
    }

    private static void emptyDir(Field source) {
        if (ResourceLists.isNegative(source.at("sizeLimit").value())) {
            source.at("sizeLimit").forbidden("SizeLimit field must be a valid resource quantity");
        }
    }

    private static void gitRepo(Field source) {
        source.at("repository").required("");
        FilePaths.relative(source.at("directory"));
    }

    private static void secret(Field source) {
        source.at("secretName").required("");
        FilePaths.keysToPaths(source);
    }

    private static void configMap(Field source) {
        source.at("name").required("");
        FilePaths.keysToPaths(source);
    }

    private static void image(Field source) {
        source.at("reference").required("");
        source.at("pullPolicy").requiredOneOf("Always", "IfNotPresent", "Never");
    }

    private static void ephemeral(Field source) {
        var template = source.at("volumeClaimTemplate");
        if (!template.isPresent()) {
            source.errors().required(template.path(), "");
            return;
        }
        ObjectMetas.validateTemplate(template.at("metadata"));
        VolumeClaims.validateSpec(template.at("spec"));
    }

    private static void downwardApi(Field source) {
        FilePaths.mode(source.at("defaultMode"));
        source.at("items").each(file -> DownwardApi.validateFile(file, file.path()));
    }

    private static void projected(Field source) {
        FilePaths.mode(source.at("defaultMode"));
        var paths = new HashSet<String>();
        source.at("sources").each(part -> projection(source.path(), part, paths));
    }

    private static void projection(Path whole, Field part, Set<String> paths) {
        for (var kind : List.of("secret", "configMap")) {
            var object = part.at(kind);
            if (object.isPresent()) {
                object.at("name").required("");
                object.at("items").each(item -> {
                    FilePaths.keyToPath(item);
                    claimPath(
                            whole,
                            part,
                            item.at("path").text(),
                            object.at("name").text(),
                            paths);
                });
            }
        }
        part.at("downwardAPI", "items").each(file -> {
            DownwardApi.validateFile(file, part.path().child("downwardAPI"));
            claimPath(whole, part, file.at("path").text(), file.at("path").text(), paths);
        });
        if (part.has("serviceAccountToken")) {
            serviceAccountToken(whole, part.at("serviceAccountToken"));
        }
        if (part.has("clusterTrustBundle")) {
            clusterTrustBundle(part.at("clusterTrustBundle"));
        }
        if (part.object().size() > 1) {
            part.forbidden("may not specify more than 1 volume type per source");
        }
    }

    private static void claimPath(Path whole, Field part, String path, String shown, Set<String> paths) {
        if (!path.isEmpty() && !paths.add(path)) {
            part.errors().invalid(whole, shown, "conflicting duplicate paths");
        }
    }

    private static void serviceAccountToken(Path whole, Field token) {
        var expiration = token.at("expirationSeconds");
        if (!expiration.isPresent()) {
            token.errors().required(expiration.path(), "");
        } else if (expiration.number() < 600) {
            expiration.invalid("may not specify a duration less than 10 minutes");
        } else if (expiration.number() > 1L << 32) {
            expiration.invalid("may not specify a duration larger than 2^32 seconds");
        }
        FilePaths.relativeAndNotReserved(
                token.at("path").reportedAt(whole.child("path")).required(""));
    }

    private static void clusterTrustBundle(Field bundle) {
        if (bundle.has("name") && bundle.has("signerName")) {
            bundle.invalid("only one of name and signerName may be used");
        } else if (!bundle.has("name") && !bundle.has("signerName")) {
            bundle.errors().required(bundle.path(), "either name or signerName must be specified");
        }
        FilePaths.relativeAndNotReserved(bundle.at("path").required(""));
    }
}
