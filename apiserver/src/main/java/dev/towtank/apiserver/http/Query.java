package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Params;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the query of a URL.
final class Query {

    private static final int MOST = 256;

    private Query() {}

    static Params parse(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return Params.NONE;
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        var pairs = query.split("&", MOST + 1);
        if (pairs.length > MOST) {
            throw StatusError.badRequest("the request has more than " + MOST + " query parameters");
        }
        for (var pair : pairs) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                var name = equals < 0 ? pair : pair.substring(0, equals);
                var value = equals < 0 ? "" : pair.substring(equals + 1);
                values.computeIfAbsent(decode(name), _ -> new ArrayList<>()).add(decode(value));
            }
        }
        return new Params(values);
    }

    private static String decode(String text) {
        return text.indexOf('%') < 0 && text.indexOf('+') < 0 ? text : RequestPath.decodePercent(text, true);
    }
}
