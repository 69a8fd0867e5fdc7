package dev.argus.trace;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an export says of the machine, as far as this version has it.
 *
 * @param name host name, or empty
 * @param models GPU models by device
 */
record NsysHost(String name, Map<Integer, String> models) {
    private static final int MAX_GPUS = 1024;
    private static final int MAX_NAME = 256;

    static NsysHost of(NsysRows rows) throws SQLException {
        String[] host = {""};
        rows.each("TARGET_INFO_SYSTEM_ENV", List.of("name", "value"), (v, row) -> {
            if ("Hostname".equals(row.getString(1)) && row.getString(2) != null) {
                host[0] = cut(row.getString(2));
            }
        });
        Map<Integer, String> models = new HashMap<>();
        rows.each("TARGET_INFO_GPU", List.of("id", "cuDevice", "name"), (v, row) -> {
            String model = row.getString(3);
            long device = v[1] != NsysRows.NONE ? v[1] : v[0];
            if (model != null && device >= 0 && device < MAX_GPUS) {
                models.put((int) device, cut(model));
            }
        });
        return new NsysHost(host[0], models);
    }

    private static String cut(String text) {
        return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
    }

    String gpuModel(int device) {
        return models.getOrDefault(device, "");
    }
}
