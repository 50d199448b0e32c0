/** Addresses that are neither pages of the console nor objects of the embedded store. */
export const PRODUCT_ADDRESSES = /^\/(api|ocpp|assets)(\/|$)/;
