package io.srpt.service;

import io.srpt.scsi.Lun;
import io.srpt.store.StoreException;
import io.srpt.store.StoreOptions;
import io.srpt.store.StoreSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the disks: texts such as {@code memory:64MiB}, or fields. */
final class LunSettings {
    static final List<String> FIELDS = List.of(
            "lun",
            "store",
            "name",
            "serial",
            "product",
            "block-size",
            "physical-block-size",
            "read-only",
            "write-cache",
            "thin",
            "direct");
    private static final int MAX_SERIAL = 64;
    private static final int MAX_PRODUCT = 16;

    private LunSettings() {}

    /** Disks without a number get the next one that is free. */
    static List<LunConfiguration> of(List<Setting> settings) throws ConfigurationException {
        if (settings.isEmpty()) {
            throw new ConfigurationException(
                    "there is no disk to serve; give at least one --lun, such as --lun memory:64MiB");
        }
        Set<Integer> taken = new HashSet<>();
        for (Setting setting : settings) {
            Setting number = setting.field("lun");
            if (number != null && !taken.add(Values.number(number, 0, 0, Lun.MAX))) {
                throw number.wrong("LUN " + number.text() + " is there twice");
            }
        }
        List<LunConfiguration> luns = new ArrayList<>();
        int next = 0;
        for (Setting setting : settings) {
            Setting number = setting.field("lun");
            while (number == null && taken.contains(next)) {
                next++;
            }
            luns.add(one(setting, number == null ? next++ : Values.number(number, 0, 0, Lun.MAX)));
        }
        return luns;
    }

    private static LunConfiguration one(Setting setting, int lun) throws ConfigurationException {
        if (setting.fields() == null) {
            return LunConfiguration.of(lun, store(setting));
        }
        setting.fields(FIELDS);
        Setting store = setting.field("store");
        if (store == null) {
            throw setting.wrong("the store is missing, such as store: memory:64MiB");
        }
        Setting blockSize = setting.field("block-size");
        int block = Values.number(blockSize, LunConfiguration.BLOCK_SIZE, 0, Integer.MAX_VALUE);
        if (blockSize != null && block != 512 && block != 4096) {
            throw blockSize.wrong(blockSize.text() + " is neither 512 nor 4096");
        }
        Setting physicalSize = setting.field("physical-block-size");
        int physical = Values.number(physicalSize, LunConfiguration.PHYSICAL_BLOCK_SIZE, 0, 65536);
        if (physicalSize != null && (physical < block || Integer.bitCount(physical) != 1)) {
            throw physicalSize.wrong(physicalSize.text() + " is no power of two from " + block + " to 65536");
        }
        return new LunConfiguration(
                lun,
                store(setting, store),
                text(setting.field("serial"), MAX_SERIAL),
                text(setting.field("product"), MAX_PRODUCT),
                block,
                physical);
    }

    /** The store with the options that {@code disk} has fields for. */
    private static StoreSpec store(Setting disk, Setting setting) throws ConfigurationException {
        StoreSpec spec = store(setting);
        StoreOptions options = spec.options();
        try {
            return spec.with(new StoreOptions(
                    Values.flag(disk.field("read-only"), options.readOnly()),
                    Values.flag(disk.field("write-cache"), options.writeCache()),
                    Values.flag(disk.field("thin"), options.thin()),
                    Values.flag(disk.field("direct"), options.direct())));
        } catch (StoreException e) {
            throw setting.wrong(SettingKey.LUN, e);
        }
    }

    private static StoreSpec store(Setting setting) throws ConfigurationException {
        try {
            return StoreSpec.parse(setting.text());
        } catch (StoreException e) {
            throw setting.wrong(SettingKey.LUN, e);
        }
    }

    private static @Nullable String text(@Nullable Setting setting, int max) throws ConfigurationException {
        if (setting == null) {
            return null;
        }
        String text = setting.text();
        if (text.isEmpty() || text.length() > max || !text.chars().allMatch(c -> c >= 0x20 && c < 0x7F)) {
            throw setting.wrong("'" + text + "' is not 1 to " + max + " printable ASCII characters");
        }
        return text;
    }
}
