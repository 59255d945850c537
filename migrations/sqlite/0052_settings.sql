-- The country of a corporation, and the currency and the VAT of its vehicles' prices (docs/product.md 4.27).
ALTER TABLE corporations ADD COLUMN country TEXT NOT NULL DEFAULT 'GB';
ALTER TABLE corporations ADD COLUMN currency TEXT NOT NULL DEFAULT 'GBP';
ALTER TABLE corporations ADD COLUMN vat_rate INTEGER NOT NULL DEFAULT 2000; -- hundredths of a percent
