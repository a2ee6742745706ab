package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Questions whose Secret `s` holds a password, whose Secret `key` a key, and `key-alone` one without
/// hosts.
final class Questions {

    private Questions() {}

    static Resolver.Question of(Map<String, String> params, Map<String, String> settings, Rewrites rewrites) {
        return new Resolver.Question(params, settings, new Credentials(), rewrites, Duration.ofSeconds(20));
    }

    private static final class Credentials implements Resolver.Credentials {

        @Override
        public String secret(String namespace, String name, String key) throws Resolver.Problem {
            if (!name.equals("s")) {
                return Resolver.Credentials.NONE.secret("ns", name, key);
            }
            return "pass";
        }

        @Override
        public Map<String, String> secret(String name) {
            return switch (name) {
                case "key" -> Map.of("ssh-privatekey", "PRIVATE", "known_hosts", "hosts");
                case "key-alone" -> Map.of("ssh-privatekey", "PRIVATE");
                default -> Map.of();
            };
        }

        @Override
        public List<Json.Obj> registries(String serviceAccount, Optional<String> secret) {
            return List.of(JsonText.parseObject("""
                    {"localhost": {"username": "me", "password": "pass"},
                     "http://127.0.0.1/v2/": {"auth": "b3RoZXI6cGFzcw=="}}"""));
        }
    }
}
