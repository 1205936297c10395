package io.srpt.service;

import io.srpt.store.StoreException;
import io.srpt.store.StoreOptions;
import io.srpt.store.StoreSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes the list of disks as it is written, and leaves all else in it as it was. */
final class LunEdits {
    private LunEdits() {}

    /** The list with a number at each disk, so that the others keep theirs when one goes. */
    static List<Setting> numbered(List<Setting> luns) throws ConfigurationException {
        List<LunConfiguration> read = LunSettings.of(luns);
        List<Setting> numbered = new ArrayList<>();
        for (int i = 0; i < luns.size(); i++) {
            Setting lun = luns.get(i);
            numbered.add(
                    lun.field("lun") != null
                            ? lun
                            : withFields(lun, Integer.toString(read.get(i).lun())));
        }
        return numbered;
    }

    private static Setting withFields(Setting lun, String number) {
        Map<String, List<Setting>> fields = new LinkedHashMap<>();
        fields.put("lun", List.of(lun.part("lun", number)));
        if (lun.fields() == null) {
            fields.put("store", List.of(lun.part("store", lun.text())));
        } else {
            fields.putAll(lun.fields());
        }
        return new Setting("", lun.where(), lun.path(), fields);
    }

    /** A numbered list without a disk. */
    static List<Setting> without(List<Setting> numbered, int lun) throws ConfigurationException {
        List<Setting> rest = new ArrayList<>();
        for (Setting each : numbered) {
            if (number(each) != lun) {
                rest.add(each);
            }
        }
        return rest;
    }

    /** A numbered list in which a disk has another size, or the same where its medium says it. */
    static List<Setting> resized(List<Setting> numbered, int lun, long bytes)
            throws ConfigurationException, ServiceException {
        List<Setting> all = new ArrayList<>();
        for (Setting each : numbered) {
            all.add(number(each) == lun ? resized(each, bytes) : each);
        }
        return all;
    }

    private static Setting resized(Setting lun, long bytes) throws ConfigurationException, ServiceException {
        Setting store = lun.field("store");
        if (store == null || lun.fields() == null) {
            return lun;
        }
        try {
            StoreSpec spec = StoreSpec.parse(store.text());
            Map<String, List<Setting>> fields = new LinkedHashMap<>(lun.fields());
            fields.put("store", List.of(lun.part("store", text(StoreSizes.with(spec, bytes)))));
            return new Setting("", lun.where(), lun.path(), fields);
        } catch (StoreException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
    }

    private static int number(Setting numbered) throws ConfigurationException {
        return Values.number(numbered.field("lun"), -1, 0, Integer.MAX_VALUE);
    }

    /** What {@link StoreSpec#parse} reads as {@code store}. */
    static String text(StoreSpec store) {
        String options = options(store.options());
        return switch (store) {
            case StoreSpec.Memory memory -> "memory:" + size(memory.size()) + (memory.readOnly() ? ",read-only" : "");
            case StoreSpec.Null nothing -> "null:" + size(nothing.size());
            case StoreSpec.Device device -> "block:" + device.path() + options;
            case StoreSpec.File file ->
                "file:" + file.path() + (file.size() == 0 ? "" : ":" + size(file.size())) + options;
        };
    }

    private static String size(long bytes) {
        return io.srpt.store.ByteSize.format(bytes);
    }

    private static String options(StoreOptions options) {
        return (options.readOnly() ? ",read-only" : "")
                + (options.writeCache() ? "" : ",no-write-cache")
                + (options.thin() ? "" : ",no-thin")
                + (options.direct() ? ",direct" : "");
    }
}
