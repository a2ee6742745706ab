package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.git.source.NetworkWords;
import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Gets things over HTTP: bounded in time and size, and credentials go to the server they are for alone.
///
/// @param largest the most that an answer may have in bytes
record Fetch(Duration limit, int largest) {

    private static final int REDIRECTS = 5;

    /// @param octets the body, a character for each byte
    record Page(int status, String octets, Map<String, String> headers) {
        byte[] bytes() {
            return octets.getBytes(StandardCharsets.ISO_8859_1);
        }

        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        boolean isGood() {
            return status == 200;
        }
    }

    /// @param headers whose `Authorization` does not follow to other servers
    Page get(URI address, Map<String, String> headers) throws Problem, InterruptedException {
        try (var client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(limit)
                .build()) {
            var place = address;
            for (int i = 0; i <= REDIRECTS; i++) {
                var request = request(place, isSameServer(address, place), headers);
                var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
                try (var _ = response.body()) {
                    var next = response.headers().firstValue("Location");
                    if (response.statusCode() / 100 != 3 || next.isEmpty()) {
                        return page(response);
                    }
                    place = place.resolve(next.get());
                }
            }
            throw new Problem("more than " + REDIRECTS + " redirects");
        } catch (HttpTimeoutException e) {
            throw Problem.timedOut();
        } catch (IllegalArgumentException e) {
            throw new Problem("cannot go where the server points: " + e.getMessage());
        } catch (IOException e) {
            throw Problem.passing(NetworkWords.words(e, String.valueOf(address.getHost())));
        }
    }

    private HttpRequest request(URI place, boolean isTrusted, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(place).timeout(limit).GET();
        headers.forEach((name, value) -> {
            if (isTrusted || !isCredential(name)) {
                request.header(name, value);
            }
        });
        return request.build();
    }

    private static boolean isCredential(String header) {
        return header.equalsIgnoreCase("Authorization") || header.equalsIgnoreCase("PRIVATE-TOKEN");
    }

    private static boolean isSameServer(URI first, URI second) {
        return Objects.equals(first.getScheme(), second.getScheme())
                && Objects.equals(first.getHost(), second.getHost())
                && first.getPort() == second.getPort();
    }

    private Page page(HttpResponse<InputStream> response) throws IOException, Problem {
        // One more than allowed is enough to know that it is too much.
        var body = response.body().readNBytes(largest + 1);
        if (body.length > largest) {
            throw new Problem("response body exceeds maximum allowed size of " + largest + " bytes");
        }
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
        return new Page(response.statusCode(), new String(body, StandardCharsets.ISO_8859_1), headers);
    }
}
